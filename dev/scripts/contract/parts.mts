import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { PROJECT_FOLDER } from '../../n8n/paths.mts';
import type { Resource } from '../../../nodes/CommunityPlatform/actions/operation.ts';
import type { readEvent } from '../../../nodes/CommunityPlatformTrigger/event.ts';
import type { toItem } from '../../../nodes/shared/events.ts';
import type { RecordType } from '../../../nodes/shared/records/types.ts';
import type { Schema } from '../../../sandbox/openapi.mts';
import { DELIVERIES } from './deliveries.mts';
import type { Parts } from './public-contract.mts';

/** What a contract can be made from: the TypeScript files, or what `npm run build` made of them. */
export type Origin = 'sources' | 'build';

const BUILD = 'dist';
/** What the items of a trigger are called. */
const EVENT = 'event';
const MEMBER = 'member';

/**
 * Loads what the public contract is made from.
 *
 * @throws when there is no build, or a module of it cannot be loaded
 */
export async function loadParts(origin: Origin): Promise<Parts> {
	const { name, n8n } = JSON.parse(read('package.json')) as {
		name: string;
		n8n: { nodes: string[]; credentials: string[] };
	};
	const load = async <T,>(module: string): Promise<T> => {
		const path = origin === 'build' ? `${BUILD}/${module}.js` : `${module}.ts`;
		return (await import(join(PROJECT_FOLDER, path))) as T;
	};
	const instances = async <T,>(files: string[]): Promise<T[]> => {
		const classes = files.map(async (file) => {
			const module = file.slice(`${BUILD}/`.length, -'.js'.length);
			const exported = await load<Record<string, new () => T>>(module);
			return new exported[basename(file).split('.')[0]]();
		});
		return await Promise.all(classes);
	};
	const nodes = await instances<INodeType>(n8n.nodes);
	const { ANSWERS } = await load<{ ANSWERS: Parts['answers'][string] }>(
		'nodes/CommunityPlatformTrigger/receive',
	);
	const trigger = await load<{ readEvent: typeof readEvent }>(
		'nodes/CommunityPlatformTrigger/event',
	);
	const accepted = Object.entries(DELIVERIES).filter(
		([, body]) => 'event' in trigger.readEvent(body),
	);
	const folders = n8n.nodes.map((file) => file.split('/').at(-2) as string);
	return {
		package: name,
		nodes,
		credentials: await instances<ICredentialType>(n8n.credentials),
		previews: Object.fromEntries(
			nodes.map(({ description }, at) => [description.name, previewsOf(folders[at], origin)]),
		),
		whole: await wholeForms(load),
		answers: { communityPlatformTrigger: ANSWERS },
		deliveries: { communityPlatformTrigger: accepted.map(([name]) => name) },
	};
}

function previewsOf(node: string, origin: Origin): Parts['previews'][string] {
	const folder = join(origin === 'build' ? BUILD : '.', 'nodes', node, '__schema__');
	const previews: Parts['previews'][string] = {};
	for (const file of readdirSync(join(PROJECT_FOLDER, folder), {
		recursive: true,
		encoding: 'utf8',
	}).sort()) {
		const [, version, subject = defaultForm(node)] =
			/^v([\d.]+?)\.0\.0(?:\/(.+))?\.json$/.exec(file) ?? [];
		if (version === undefined) continue;
		previews[version] ??= {};
		previews[version][subject.replace('/', '.')] = JSON.parse(read(join(folder, file))) as Schema;
	}
	return previews;
}

// Of the polling trigger, the preview is about what it gives unless told otherwise.
function defaultForm(node: string): string {
	return node.endsWith('PollingTrigger') ? MEMBER : EVENT;
}

/** The fields of what is not simplified, which n8n has no preview of: told by the code that makes it. */
async function wholeForms(load: <T>(module: string) => Promise<T>): Promise<Parts['whole']> {
	const { resources } = await load<{ resources: Resource[] }>(
		'nodes/CommunityPlatform/actions/index',
	);
	const { userList } = await load<Record<string, RecordType>>('nodes/shared/records/types');
	const events = await load<{ toItem: typeof toItem }>('nodes/shared/events');
	const envelope = { event: '', job_id: 0, received_at: '', dedupe_key: '' };
	const { user, ...item } = events.toItem(envelope, { kind: 'user', record: {} });
	const event = [...Object.keys(item), ...Object.keys(user as object).map((key) => `user.${key}`)];
	const operations = resources.flatMap(({ value, operations: all }) =>
		all.flatMap((operation) =>
			operation.record?.simplified
				? [[`${value}.${operation.value}`, operation.record.fields] as const]
				: [],
		),
	);
	return {
		communityPlatform: Object.fromEntries(operations),
		communityPlatformTrigger: { [EVENT]: event },
		communityPlatformPollingTrigger: { [MEMBER]: userList.fields, [EVENT]: event },
	};
}

function read(path: string): string {
	return readFileSync(join(PROJECT_FOLDER, path), 'utf8');
}
