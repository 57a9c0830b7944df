import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { operationsOf, parametersOf } from '../../test/support/description.mts';
import { checkedIn, schemaFile } from './schema-files.mts';

const PICTURES = 'docs/images';
/** A file with a hash of the texts in each picture, from when it was taken. */
const MANIFEST = join(PICTURES, 'manifest.json');
const TAKEN = '.reports/e2e/screenshots';
const pictures = readdirSync(PICTURES).filter((name) => name.endsWith('.png'));

const { description: node } = new CommunityPlatform();
const { description: webhookTrigger } = new CommunityPlatformTrigger();
const { description: pollingTrigger } = new CommunityPlatformPollingTrigger();

/** What each picture shows: parts of the package, the community's page, and the workflows of the examples. */
const PARTS: Record<string, unknown> = {
	'community-page-dark.png': [
		...['index.html', 'show.mjs', 'style.css'].map((name) => read(`sandbox/page/${name}`)),
		read('examples/welcome-new-members.json'),
	],
	'editor-actions.png': [
		...[node.displayName, webhookTrigger.description],
		webhookTrigger.properties.find(({ name }) => name === 'events'),
		operationsOf(node.properties).map(({ option }) => option.action),
	],
	// The page shows a row with the same columns.
	'editor-dry-run.png': [node.subtitle, /```json[^]*?```/.exec(read('docs/dry-run.md'))?.[0]],
	'editor-failure.png': formOf('user.get'),
	'editor-output-preview.png': [formOf('user.get'), checkedIn().get(schemaFile('user.getAll'))],
	'editor-picker.png': formOf('user.updateRole'),
	'editor-polling-trigger.png': partsOf(pollingTrigger),
	'editor-trigger-url.png': partsOf(webhookTrigger),
};
for (const name of pictures.filter((each) => each.startsWith('example-')))
	PARTS[name] = read(name.replace(/^example-(.*)png$/, 'examples/$1json'));
const TEXTS = ['displayName', 'placeholder', 'hint', 'options', 'name', 'modes'];

/** The pictures in docs/images with texts that have changed since. */
function stalePictures(): string[] {
	const before = JSON.parse(read(MANIFEST)) as Record<string, string>;
	const now = hashes();
	return Object.keys(now).filter((name) => now[name] !== before[name]);
}

/** A warning about the stale pictures, with what to do. Undefined if there are none. */
export function staleWarning(): string | undefined {
	const stale = stalePictures();
	if (stale.length === 0) return undefined;
	return `Pictures in ${PICTURES} with old texts: ${stale.join(', ')}. Take them again (docs/maintaining.md, "Pictures").`;
}

function read(file: string): string {
	return readFileSync(file, 'utf8');
}

function hashes(): Record<string, string> {
	const hash = (text: string) => createHash('sha256').update(text).digest('hex');
	const entries = Object.entries(PARTS).sort();
	return Object.fromEntries(
		entries.map(([name, parts]) => [name, hash(JSON.stringify(parts, TEXTS))]),
	);
}

function formOf(key: string): unknown {
	const operation = operationsOf(node.properties).find((each) => each.key === key)?.option.name;
	const resource = node.properties.find(({ name }) => name === 'resource');
	return [resource, operation, partsOf(node, parametersOf(node.properties, key))];
}

function partsOf(type: INodeTypeDescription, fields = type.properties): unknown {
	return [type.displayName, JSON.stringify(type.triggerPanel), withoutLists(fields)];
}

/** Fields as the editor shows them at first: with the chosen option of each list, and closed collections. */
function withoutLists(properties: INodeProperties[]): unknown {
	return properties.map(({ options = [], default: value, ...field }) => [
		...[field, value],
		options.filter((each) => 'value' in each && [value].flat().includes(each.value)),
	]);
}

// Copies the screenshots of the browser tests, with `--stale` only those of stale pictures. With `--warn`, only prints a
// warning about stale pictures, which GitHub shows at the top of the check.
if (process.argv[1] === import.meta.filename) {
	if (process.argv.includes('--warn')) {
		const warning = staleWarning();
		if (warning) console.log(`${process.env.GITHUB_ACTIONS ? '::warning::' : '⚠ '}${warning}`);
		process.exit(0);
	}
	const stale = stalePictures();
	for (const name of process.argv.includes('--stale') ? stale : pictures) {
		const taken = join(TAKEN, name.replace(/^editor-/, ''));
		if (statSync(taken).size > 200_000) throw new Error(`${taken} has more than 200,000 bytes`);
		copyFileSync(taken, join(PICTURES, name));
	}
	writeFileSync(MANIFEST, `${JSON.stringify(hashes(), null, '\t')}\n`);
	console.log(`Stale pictures, now taken again: ${stale.join(', ') || 'none'}`);
}
