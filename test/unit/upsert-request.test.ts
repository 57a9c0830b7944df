import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../../nodes/CommunityPlatform/execute/itemContext.ts';
import { upsertTag } from '../../nodes/CommunityPlatform/execute/strategies/upsertTag.ts';
import { upsert } from '../../nodes/CommunityPlatform/actions/tag/upsert.ts';
import type { ApiRequest } from '../../nodes/shared/transport/request.ts';

it('idempotency: a header of the request that creates a tag does not go to the one that updates it', async () => {
	const tag: IDataObject = { tag_id: 7, name: 'howto', display_name: 'HowTo' };
	const sent: ApiRequest[] = [];
	const lock = { release: () => {} };
	const create = {
		...{ method: 'POST', repeat: 'creating', path: '/tags', expects: 'acknowledgement' },
		...{ body: { name: 'HowTo' }, headers: { 'Idempotency-Key': 'of-the-create' } },
	};
	const item = {
		operation: upsert,
		request: create,
		input: { values: { name: 'HowTo' }, body: create.body, gaveNothing: [] },
		notes: { cleared: new Set() },
		api: {
			settings: { maxRequestsAtOnce: 5 },
			state: { listings: { sizes: { of: () => undefined, note: () => {} } } },
		},
		lockRecord: () => lock,
		lockCreates: () => lock,
		waitFor: async () => {},
		send: async (request: ApiRequest) => {
			sent.push(request);
			const body = request.path === '/tags/search' ? [tag] : tag;
			return { statusCode: 200, headers: { has_more: 'false' }, body };
		},
	} as unknown as ItemContext;
	await upsertTag.send(item);
	expect(sent.map(({ method, repeat, path }) => [method, repeat, path])).toEqual([
		['GET', 'safe', '/tags/search'],
		['GET', 'safe', '/tags/7'],
		['PUT', 'idempotent', '/tags/7'],
	]);
	expect(sent.filter((request) => 'headers' in request)).toEqual([]);
	expect(sent[2].body).toMatchObject({ name: 'HowTo' });
});
