import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from '@typescript-eslint/parser';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

// Finds translated words, and `user` for a member, in documents, comments, failures and UI texts.
const PATTERNS = [
	/\bOf\s+(?:an?|the|several|what)\b/g,
	/\b(?:of\s+wh(?:at|ich|om)|(?:(?:to|for)\s+)?whom|whoever|anyhow|anew|all\s+the\s+same)\b/gi,
	/\b(?:does\s+no\s+harm|of\s+no\s+use|for\s+ever|gave\s+nothing|in\s+the\s+place\s+of)\b/gi,
	/(?<!['.])\b(?:user|[uU]sers)\b(?!\s+names?\b|-agent\b|['.])/g,
];
const FOLDERS = ['docs', 'docs/api', 'examples', '.', 'nodes/shared/limiter'];
/** The notes in the workflows of the examples, which n8n's editor shows. */
const NOTES = ['content', 'notes'];
const MAX_DESCRIPTION = 160;
const UI_TEXTS = ['displayName', 'description', 'hint', 'placeholder', 'action'];
const CODE = /^ *```[^]*?^ *```|`[^`]*`/gm;
// Quotes of the UI: labels, the targets of links, and the tables of `npm run tool-page`.
const QUOTES = /<!-- tool-parameters -->[^]*<!-- \/tool-parameters -->|\]\([^)]*\)|\*[^*\n]+\*/g;

const blank = (text: string) => text.replaceAll(/[^\n]/g, '`');
const lines = (text: string) => text.split('\n').length;
const read = (file: string) => readFileSync(file, 'utf8');
const filesIn = (folder: string, ending: string, recursive = false) =>
	readdirSync(folder, { recursive, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => `${folder}/${name}`);
const findings = new Set<string>();

function check(place: string, firstLine: number, text: string): void {
	for (const { 0: found, index } of PATTERNS.flatMap((each) => [...text.matchAll(each)])) {
		const line = firstLine + lines(text.slice(0, index)) - 1;
		findings.add(`${place}:${line}: ${found.replaceAll(/\s+/g, ' ')}`);
	}
}

function checkTexts(described: object): void {
	for (const [key, text] of Object.entries(described)) {
		if (typeof text === 'object' && text !== null) checkTexts(text as object);
		const isLabel = key === 'name' && 'value' in described;
		if (typeof text !== 'string' || !(isLabel || UI_TEXTS.includes(key))) continue;
		const file = sources.find((source) => read(source).includes(text));
		const place = file ?? `put together: ${text.slice(0, 50)}`;
		const line = file ? lines(read(file).split(text)[0]) : 1;
		check(place, line, text.replace(/\bUser\b/, 'user'));
		if (key === 'description' && text.length > MAX_DESCRIPTION)
			findings.add(`${place}:${line}: description of ${text.length} characters`);
		if (key === 'action' && /\b(?:an?|the)\b/.test(text))
			findings.add(`${place}:${line}: article in an action`);
	}
}

function checkNotes(file: string, described: object): void {
	for (const [key, text] of Object.entries(described)) {
		if (typeof text === 'object' && text !== null) checkNotes(file, text as object);
		if (typeof text !== 'string' || !NOTES.includes(key)) continue;
		const firstLine = lines(read(file).split(JSON.stringify(text))[0]);
		for (const line of text.split('\n'))
			check(file, firstLine, line.replace(CODE, blank).replace(QUOTES, blank));
	}
}

process.chdir(PROJECT_FOLDER);
for (const file of FOLDERS.flatMap((folder) => filesIn(folder, '.md')))
	check(file, 1, read(file).replace(CODE, blank).replace(QUOTES, blank));

for (const file of filesIn('examples', '.json')) checkNotes(file, JSON.parse(read(file)) as object);

const sources = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts', true));
// As tracked, because dev/n8n can contain a whole n8n.
const tools = execFileSync('git', ['ls-files', 'test', 'dev', 'sandbox'], { encoding: 'utf8' });
for (const file of [...sources, ...(tools.match(/^.+\.[cm]?[jt]s$/gm) ?? [])]) {
	const { comments, tokens } = parse(read(file), { comment: true, tokens: true, loc: true });
	for (const { value, loc } of comments ?? [])
		check(file, loc.start.line, value.replace(CODE, blank));
	// A string without a space is a name, and one of words alone lists fields of the API.
	for (const { type, value, loc } of sources.includes(file) ? (tokens ?? []) : [])
		if (/String|Template/.test(type) && / /.test(value) && !/^`[\w\s]+`$/.test(value))
			check(file, loc.start.line, value);
}
const nodes = [CommunityPlatform, CommunityPlatformTrigger, CommunityPlatformPollingTrigger];
checkTexts([...nodes.map((Type) => new Type().description), new CommunityPlatformApi()]);
if (findings.size > 0) console.error([...findings].join('\n'));
process.exitCode = Math.min(findings.size, 1);
