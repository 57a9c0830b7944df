import { parseArgs } from 'node:util';
import { normalizeBaseUrl } from '../../nodes/shared/transport/baseUrl.ts';
import { table } from '../tools/table.mts';
import { Community, NoAnswer } from './community.mts';
import { type Finding, visit } from './visit.mts';

const KEY = 'COMMUNITY_API_KEY';
const SOURCE = 'COMMUNITY_SOURCE_SYSTEM';
const USAGE = `
Reads from a community, with GET requests only, and compares its answers with the documents.

  ${KEY}=… ${SOURCE}=… npm run first-contact -- --url https://community.example.com

  --post, --comment, --reply   the ID of one to read: the API does not list them
  --pause <ms>                 between two requests, 500 unless given

Key and source system come from the environment only: a command line stays in the shell's history.
`;

const { [KEY]: apiKey = '', [SOURCE]: sourceSystem = '' } = process.env;

try {
	process.exitCode = await main();
} catch (error) {
	const { message, code } = error as NodeJS.ErrnoException;
	// Node's message repeats the argument, which may be the key.
	say(code?.startsWith('ERR_PARSE_ARGS') ? `There is no such option.\n${USAGE}` : message);
	process.exitCode = 2;
}

/** 0 if everything is as documented, 1 if something differs, 2 if a part could not be checked. */
async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			url: { type: 'string' },
			post: { type: 'string' },
			comment: { type: 'string' },
			reply: { type: 'string' },
			pause: { type: 'string', default: '500' },
		},
	});
	if (values.url === undefined) throw new Error(USAGE);
	if (!apiKey || !sourceSystem) throw new Error(`Set ${KEY} and ${SOURCE} in the environment.`);
	const contact = { baseUrl: normalizeBaseUrl(values.url), sourceSystem, apiKey };
	if (contact.baseUrl.startsWith('http:')) {
		say('The address begins with http: the key is sent unencrypted.');
	}
	const community = new Community(contact, Number(values.pause));
	const findings: Finding[] = [];
	let ended: string | undefined;
	try {
		const isAccepted = await visit(community, values, (finding) => findings.push(finding));
		if (!isAccepted) ended = 'Check the address, the key and the source system.';
	} catch (error) {
		if (!(error instanceof NoAnswer)) throw error;
		ended = error.message;
	}
	const rows = findings.map(({ what, verdict, found }) => [what, verdict, printable(found)]);
	say(table(['what', 'verdict', 'found'], rows));
	say(`${community.requests} GET requests were sent, and nothing else.`);
	const different = findings.filter(({ verdict }) => verdict === 'differs').length;
	say(
		different === 0
			? 'Nothing differs.'
			: `${different} differ; docs/first-contact.md says where to report it.`,
	);
	if (ended === undefined) return different === 0 ? 0 : 1;
	say(`The visit ended before its last check: ${ended}`);
	return 2;
}

/** Replaces control characters and shortens the text, because a community chooses the names of its fields. */
function printable(text: string): string {
	const plain = withoutKey(text).replace(/[^ -~]/g, '?');
	return plain.length > 500 ? `${plain.slice(0, 500)} …` : plain;
}

function say(text: string): void {
	console.log(withoutKey(text));
}

/** Hides the key, because a community can repeat it in an answer. */
function withoutKey(text: string): string {
	if (apiKey === '') return text;
	const basic = Buffer.from(`${sourceSystem}:${apiKey}`).toString('base64');
	return [basic, apiKey].reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}
