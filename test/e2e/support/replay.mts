import type { INode } from 'n8n-workflow';
import type { SavedWorkflow } from '../../../dev/n8n/client.mts';
import { importWorkflow } from '../../../dev/n8n/examples.mts';
import { EVERY_SECOND, polling } from '../../../dev/n8n/polling.mts';
import type { RecordedRequest } from '../../../sandbox/recorder.mts';
import type { KeptWorkflow, Replay, Sent } from '../../support/kept-workflows.mts';
import { type Activation, executionsOf, polls } from './active.mts';
import { runToEnd } from './by-hand.mts';
import { startChatModel } from './chat-model.mts';
import { deleteTable } from './data-tables.mts';
import { submitForm } from './delivering.mts';
import { askOverMcp, untilServed } from './mcp.mts';
import type { Scenery } from './use-stage.mts';

/** The webhook secret to set in the test community. */
export const SECRET = 'a long random text';

const TOKEN = 'a long random token';
const NOWHERE = 'http://127.0.0.1:9';

/** A kept workflow with a replay. */
type Replayable = KeptWorkflow & { replay: Replay };

/** The actions of a replayed workflow. */
export interface Replayed {
	/** In the form of `Replay`. */
	sends: Sent[];
	/** The answers of its tools, in order. */
	answers: string;
}

/**
 * Imports a kept workflow into the n8n of the tests, starts it, and waits for its end. Changes only its credentials and
 * its poll interval.
 *
 * @throws if it fails
 */
export async function replay(
	scenery: Scenery,
	activation: Activation,
	{ workflow, replay: { model: turns = [], ...how } }: Replayable,
): Promise<Replayed> {
	const model =
		turns.length > 0 ? await startChatModel(turns.map((turn) => () => turn)) : undefined;
	try {
		const { client, credential } = scenery;
		// Other tests may have left rows in it.
		for (const { parameters } of workflow.nodes) {
			if (parameters.tableName) await deleteTable(client, String(parameters.tableName));
		}
		const key = { apiKey: 'none', url: model?.url ?? NOWHERE };
		const openAiApi = await client.createCredential('Chat model', 'openAiApi', key);
		const httpBearerAuth = await client.createCredential('MCP', 'httpBearerAuth', { token: TOKEN });
		const saved = await importWorkflow(client, workflow, credential, (node): INode => {
			if (node.type.endsWith('.lmChatOpenAi')) return { ...node, credentials: { openAiApi } };
			if (node.type.endsWith('.mcpTrigger')) return { ...node, credentials: { httpBearerAuth } };
			return polling(EVERY_SECOND)(node);
		});
		const told = await setGoing(scenery, activation, saved, how);
		const answers = [...told, ...(model?.answers.values() ?? [])].flat().join('\n');
		return { sends: sent(scenery.sandbox.requests.all), answers };
	} finally {
		await model?.close();
	}
}

/** @returns the tools' answers to an MCP client */
async function setGoing(
	scenery: Scenery,
	{ activate, open }: Activation,
	workflow: SavedWorkflow,
	{ start, member = {}, calls = [] }: Omit<Replay, 'model'>,
): Promise<string[]> {
	const { community, webhooks } = scenery.sandbox;
	switch (start) {
		case 'by hand':
			await runToEnd(scenery, workflow);
			return [];
		case 'MCP client':
			community.join(member);
			await activate(workflow);
			return await askTools(`${scenery.url}/mcp/${pathOf(workflow)}`, calls);
		case 'polling':
			await activate(workflow);
			// The first poll sets the starting point.
			await polls(scenery);
			community.join(member);
			break;
		case 'form':
			await activate(workflow);
			await submitForm(scenery, workflow, [String(member.first_name), String(member.email)]);
			break;
		default: {
			webhooks.set([{ url: await open(workflow), secret: SECRET }]);
			if (start === 'member.joined') community.join(member);
			else community.waitlist(member);
		}
	}
	const [{ data, status }] = await executionsOf(scenery, workflow, 1);
	expect([status, data.resultData.error]).toEqual(['success', undefined]);
	return [];
}

function pathOf({ nodes }: SavedWorkflow): string {
	return String(nodes.find(({ type }) => type.endsWith('.mcpTrigger'))?.parameters.path);
}

async function askTools(url: string, calls: Array<[string, object]>): Promise<string[]> {
	const server = { url, token: TOKEN };
	await untilServed(server);
	const { answers } = await askOverMcp(server, calls);
	expect(answers.filter(({ failed }) => failed)).toEqual([]);
	return answers.map(({ text }) => text);
}

function sent(requests: RecordedRequest[]): Sent[] {
	const changes = requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path, body }) => ({
			method,
			path: path.split('/').map(withoutNumbers).join('/'),
			body: JSON.parse(
				JSON.stringify(body ?? null).replace(/"\d+\.\w+":/g, '"*":'),
				(_key, value: unknown) => withoutNumbers(value),
			) as unknown,
		}));
	return [...new Map(changes.map((each) => [JSON.stringify(each), each])).values()];
}

// Masks IDs and counts, because they depend on the community and not on the package.
function withoutNumbers(value: unknown): unknown {
	if (typeof value === 'number') return '*';
	return typeof value === 'string' ? value.replace(/\b\d+(\.\w+)?\b/g, '*') : value;
}
