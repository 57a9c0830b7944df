import { Ajv } from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { checkedIn, schemaFile } from '../../dev/scripts/schema-files.mts';
import type { Schema } from '../../sandbox/openapi.mts';
import { useSandbox } from '../support/community.mts';
import { runNode } from '../support/engine.mts';
import { useHosts } from '../support/trigger-hosts.mts';

const previews = checkedIn();
const ajv = new Ajv({ allErrors: true, strictTypes: false, strictSchema: false });
const sandbox = useSandbox({ members: 30 });
const { listening } = useHosts(sandbox);

function previewOf(trigger: string): Schema & { properties: Record<string, Schema> } {
	return JSON.parse(previews.get(schemaFile(trigger)) ?? '');
}

/** The names of the fields of an item, and those of its member. */
function fieldsOf({ user, ...item }: IDataObject | Record<string, Schema>): string[][] {
	const { properties = user } = user as Schema;
	return [Object.keys(item), Object.keys(properties as IDataObject)];
}

function expectToFit(items: IDataObject[], preview: Schema): void {
	expect(items).not.toEqual([]);
	for (const item of items) {
		expect([ajv.validate(preview, item), ajv.errors]).toEqual([true, null]);
	}
}

describe('the preview of the webhook trigger', () => {
	const preview = previewOf('CommunityPlatformTrigger');

	async function emitted(parameters: INodeParameters): Promise<IDataObject[]> {
		const host = await listening({ parameters: { events: ['*'], ...parameters } });
		sandbox.webhooks.set([{ url: host.url, secret: 'right' }]);
		sandbox.community.join({ first_name: 'Ada' });
		sandbox.community.waitlist({ first_name: 'Bob' });
		await sandbox.webhooks.settled();
		await host.settled();
		expect(host.items).toHaveLength(2);
		return host.items;
	}

	it.each([{}, { confirmWithApi: true }])(
		'matches its items about members: %j',
		async (parameters) => {
			const items = await emitted(parameters);
			expectToFit(items, preview);
			for (const item of items) expect(fieldsOf(item)).toEqual(fieldsOf(preview.properties));
		},
	);
});

describe('the preview of the polling trigger', () => {
	const preview = previewOf('CommunityPlatformPollingTrigger');

	async function emitted(parameters: INodeParameters): Promise<IDataObject[]> {
		const type = new CommunityPlatformPollingTrigger();
		const { items } = await runNode(sandbox, parameters, {
			type: { name: type.description.name, type, version: 1 },
		});
		return items.map(({ json }) => json);
	}

	it('matches its items about new and changed members, and fits raw records', async () => {
		const forms = [{}, { options: { includeDetails: true } }, { triggerOn: 'memberChanged' }];
		const items = (await Promise.all(forms.map(emitted))).flat();
		expectToFit(items, preview);
		const fields = new Set(items.flatMap((item) => Object.keys(item)));
		expect([...fields].sort()).toEqual(Object.keys(preview.properties).sort());
		const { previous } = items[2] as { previous: IDataObject };
		expect(Object.keys(previous).sort()).toEqual(
			Object.keys(preview.properties.previous.properties as Schema).sort(),
		);
		expectToFit(await emitted({ simplify: false }), preview);
	});

	it('fits events, which match the preview of the webhook trigger', async () => {
		const items = await emitted({ output: 'event' });
		expectToFit(items, preview);
		const events = previewOf('CommunityPlatformTrigger');
		expectToFit(items, events);
		for (const item of items) expect(fieldsOf(item)).toEqual(fieldsOf(events.properties));
	});
});
