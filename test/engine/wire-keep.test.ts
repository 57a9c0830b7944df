import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { asked, byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';

describe('Decisions', () => {
	const sandbox = useKnownRecords();

	const targets: Record<string, INodeParameters> = {
		board: { boardId: byId('900') },
		post: { postId: '9100' },
		tag: { tagId: byId('9400') },
		user: { userId: byId(ADA), hiddenFields: 'clear' },
	};

	async function update(resource: string, updateFields: IDataObject, keepOtherFields = true) {
		return await runNode(sandbox, {
			resource,
			operation: 'update',
			...targets[resource],
			keepOtherFields,
			updateFields: updateFields as INodeParameters,
		});
	}

	/** The community's record, including fields that the API never returns. */
	function stored(resource: string): object {
		const { boards, posts, tags, users } = sandbox.community;
		const record = {
			board: boards.get(900),
			post: posts.get(9100),
			tag: tags.get(9400),
			user: users.get(9001),
		}[resource];
		return structuredClone(record as object);
	}

	describe("'Keep Other Fields' keeps all fields that are not set:", () => {
		const edited = { last_edited_at: '2025-02-03T04:05:06.789Z' };
		const modified = { last_modified_at: '2025-02-03T04:05:06.789Z' };
		// Fields that the API does not return for a member cannot be kept (docs/decisions.md, A8).
		const lost = {
			middle_name: null,
			last_name: null,
			banner: null,
			social_media_links: null,
			lang: 'en',
			timezone: 'UTC',
		};
		it.each([
			['board', { boardName: 'Open' }, { board_name: 'Open' }],
			['post', { headline: 'New' }, { headline: 'New', ...edited, ...modified }],
			['tag', { ogTitle: 'New' }, { og_title: 'New' }],
			['user', { firstName: 'Augusta' }, { first_name: 'Augusta', ...modified, ...lost }],
		])('%s', async (resource, updateFields, changes) => {
			const before = stored(resource);
			const { error } = await update(resource, updateFields);
			expect(error).toBeUndefined();
			expect(stored(resource)).toEqual({ ...before, ...changes });
		});
	});

	it.each([
		['board', { about: 'New' }, { board_id: 900, board_name: 'Insiders' }, "'Private'"],
		['post', { headline: 'New' }, { post_id: 9100, content: 'Hello', board_id: 900 }, "'Author'"],
		['tag', { ogTitle: 'New' }, { tag_id: 9400 }, "'Name'"],
		['user', { lastName: 'Byron' }, { user_id: 9001, msid: ADA }, "'First Name'"],
	])(
		'a %s that is returned only in part is not written',
		async (resource, updateFields, body, label) => {
			sandbox.faults.add({ kind: 'status', status: 200, method: 'GET', body, times: 1 });
			const { error } = await update(resource, updateFields);
			expect(asked(sandbox)).toEqual([expect.stringMatching(/^GET /)]);
			expect(error?.message).toContain(label);
			expect(error?.description).toMatch(
				/^Add .* under 'Update Fields', because the API did not return the current value/,
			);
			expect(error?.description).toContain(label);
		},
	);

	it('writes nothing if the record cannot be read', async () => {
		sandbox.community.tags.delete(9400);
		const { error } = await update('tag', { ogTitle: 'New' });
		expect(asked(sandbox)).toEqual(['GET /api/v1/tags/9400']);
		expect(error?.httpCode).toBe('404');
	});
});
