import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { byId, useSandbox } from '../support/community.mts';
import { everythingIn } from '../support/everything.mts';
import { logged } from '../support/logs.mts';
import { addKnownRecords, STILL } from '../support/known-records.mts';
import { action, createTag } from '../support/operations.mts';
import { runNode } from '../support/engine.mts';

const one = useSandbox({ ...STILL, apiKey: 'key-of-the-first' });
const two = useSandbox({ ...STILL, apiKey: 'key-of-the-second' });
beforeEach(() => [one, two].forEach(addKnownRecords));

const sentTo = ({ requests }: Sandbox) => [
	...new Set(
		requests.all.map(({ headers }) =>
			Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64').toString(),
		),
	),
];
const loginOf = ({ baseUrl, apiKey }: Sandbox) => ({ baseUrl, apiKey });
const updateTag = (ogTitle: string): INodeParameters =>
	action('tag.update', { tagId: byId('9400'), updateFields: { ogTitle } });

describe('Credential', () => {
	it("never sends a server's key to another server if the credential changes during an execution", async () => {
		const items = Array.from({ length: 6 }, () => ({}));
		const { error } = await runNode(one, updateTag('New'), {
			items,
			credentialOf: (_, readBefore) => loginOf(readBefore < 3 ? one : two),
		});
		expect(error).toBeUndefined();
		expect(sentTo(one)).toEqual(['sandbox:key-of-the-first']);
		expect(sentTo(two)).toEqual(['sandbox:key-of-the-second']);
		expect([one, two].map(({ requests }) => requests.matching('PUT').length)).toEqual([3, 3]);
	});

	it('evaluates a credential with expressions for each item', async () => {
		const tag = { ...createTag('={{ $json.name }}') };
		const items = ['a1', 'b2', 'a3', 'b4'].map((name) => ({ name }));
		const { error } = await runNode(one, tag, {
			items,
			credentialOf: (item) => loginOf(item % 2 === 0 ? one : two),
		});
		expect(error).toBeUndefined();
		const namesAt = ({ requests }: Sandbox) =>
			requests.matching('POST').map(({ body }) => (body as IDataObject).name);
		expect([namesAt(one), namesAt(two)]).toEqual([
			['a1', 'a3'],
			['b2', 'b4'],
		]);
	});

	it('reads the credential once per item, even if the item takes several requests', async () => {
		let reads = 0;
		const credentialOf = () => {
			reads++;
			return {};
		};
		await runNode(one, updateTag('x'), { items: [{}, {}, {}], credentialOf });
		expect(one.requests.total).toBe(6);
		expect(reads).toBe(3);
	});
});

describe('Secrets in answers of the API', () => {
	const LOGIN = Buffer.from('sandbox:key-of-the-first').toString('base64');
	const SECRETS = ['key-of-the-first', 'secret-of-the-webhook', LOGIN];
	const credential = { webhookSecret: 'secret-of-the-webhook' };
	const text = `you sent ${SECRETS.join(' and ')}`;
	const shown = (...values: unknown[]) =>
		SECRETS.filter((secret) => everythingIn(values).includes(secret));

	it.each([400, 500, 200])(
		'hides a secret that the API repeats in its reason (%d)',
		async (status) => {
			one.faults.add({
				kind: 'status',
				status,
				body: { id: SECRETS[0], status: 'BAD_REQUEST', message: `ERR_V1 | ${text}` },
			});
			const parameters = { ...createTag('x'), options: { maxRetries: 0 } };
			const { error } = await runNode(one, parameters, { credential });
			const onError = 'continueRegularOutput';
			const { items } = await runNode(one, parameters, { credential, onError });
			expect(error?.message).toBe('You sent [hidden] and [hidden] and [hidden]');
			expect(shown({ message: error?.message, description: error?.description })).toEqual([]);
			expect(shown(items, logged)).toEqual([]);
		},
	);

	it('returns a secret in a record, and sends it back unchanged in an update', async () => {
		one.community.tags.get(9400)!.description = text;
		const { items } = await runNode(one, updateTag('New'), { credential });
		expect(items[0].json.description).toBe(text);
		expect(one.requests.matching('PUT')[0].body).toMatchObject({ description: text });
	});
});
