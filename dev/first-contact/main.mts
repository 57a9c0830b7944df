import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { normalizeBaseUrl } from '../../nodes/shared/transport/baseUrl.ts';
import { Failure } from '../../nodes/shared/transport/failure.ts';
import { recordingOf } from './recording.mts';
import { reportOf, usesOf } from './report.mts';
import { visit } from './visit.mts';
import type { Contact } from './visitor.mts';

const KEY = 'COMMUNITY_API_KEY';
const SOURCE = 'COMMUNITY_SOURCE_SYSTEM';
const USAGE = `
Reads from a community, with GET requests only, and says what of it is as documented.

  ${KEY}=… ${SOURCE}=… npm run first-contact -- --url https://community.example.com

  --post, --comment, --reply   the ID of one to read: the API does not list them
  --record <file>              writes the answers, redacted, to be sent along with a report
  --pause <ms>                 between two requests, 500 unless given
  --requests <count>           the most that are sent, 200 unless given

Key and source system come from the environment only: a command line stays in the shell's history.
`;

try {
	process.exitCode = await main();
} catch (error) {
	console.error(messageOf(error));
	process.exitCode = 2;
}

/** 0 where all is safe to use, 1 where something is not, 2 where nothing could be looked at. */
async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			url: { type: 'string' },
			post: { type: 'string' },
			comment: { type: 'string' },
			reply: { type: 'string' },
			record: { type: 'string' },
			pause: { type: 'string', default: '500' },
			requests: { type: 'string', default: '200' },
			help: { type: 'boolean', default: false },
		},
	});
	const { [KEY]: apiKey = '', [SOURCE]: sourceSystem = '' } = process.env;
	if (values.help || values.url === undefined) {
		console.log(USAGE);
		return values.help ? 0 : 2;
	}
	const missing = [!apiKey && KEY, !sourceSystem && SOURCE].filter(Boolean);
	if (missing.length > 0) throw new Error(`Set ${missing.join(' and ')} in the environment.`);
	const contact = { baseUrl: normalizeBaseUrl(values.url), sourceSystem, apiKey };
	if (contact.baseUrl.startsWith('http:')) {
		console.error('The address begins with http: the key is sent unencrypted.\n');
	}
	const pace = {
		pauseMs: count('--pause', values.pause),
		mostRequests: count('--requests', values.requests),
	};
	console.error('This takes a minute or two.\n');
	const found = await visit(contact, pace, values);
	// A community can answer with what it was sent, and the table shows the names of fields.
	console.log(withoutSecret(reportOf(found), contact));
	if (values.record !== undefined) {
		await writeFile(values.record, recordingOf(found.answers, contact));
		console.log(
			`\nThe answers are in ${values.record}, redacted. Look through it before you send it.`,
		);
	}
	const uses = usesOf(found.findings, found.ended !== undefined);
	if (uses.credential !== true) return 2;
	return Object.values(uses).every((isSafe) => isSafe === true) ? 0 : 1;
}

function withoutSecret(text: string, { sourceSystem, apiKey }: Contact): string {
	const basic = Buffer.from(`${sourceSystem}:${apiKey}`).toString('base64');
	return [basic, apiKey].reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}

function count(option: string, text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new Error(`${option} takes a number, e.g. ${option} 500.`);
}

function messageOf(error: unknown): string {
	if (error instanceof Failure)
		return `${error.message}. Give it as --url, e.g. --url https://community.example.com`;
	const { message, code } = error as NodeJS.ErrnoException;
	// The text of Node repeats what was given, which may be the key.
	if (code?.startsWith('ERR_PARSE_ARGS')) return `There is no such option.\n${USAGE}`;
	return message;
}
