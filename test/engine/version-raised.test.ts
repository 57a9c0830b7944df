import type { INodeParameters, INodeType } from 'n8n-workflow';
import { comment } from '../../nodes/CommunityPlatform/resources/comment/index.ts';
import { commentId, content } from '../../nodes/CommunityPlatform/resources/comment/fields.ts';
import { update as updateComment } from '../../nodes/CommunityPlatform/resources/comment/update.ts';
import {
	keepOtherFields,
	updateFields,
} from '../../nodes/CommunityPlatform/resources/collections.ts';
import { tagLocator } from '../../nodes/CommunityPlatform/resources/locators.ts';
import { name, optionalFields } from '../../nodes/CommunityPlatform/resources/tag/fields.ts';
import { tag } from '../../nodes/CommunityPlatform/resources/tag/index.ts';
import { update as updateTag } from '../../nodes/CommunityPlatform/resources/tag/update.ts';
import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import { loadParts } from '../../scripts/contract/parts.mts';
import { contractOf } from '../../scripts/contract/public-contract.mts';
import { byId, useSandbox } from '../support/community.mts';
import { addKnownRecords, STILL } from '../support/known.mts';
import { raisedNode, since } from '../support/raised-node.mts';
import { loaded, runNode } from './engine.mts';

const sandbox = useSandbox(STILL);
beforeEach(() => addKnownRecords(sandbox));

const text = { ...content, displayName: 'Text', name: 'text' };
const raisedComment = () =>
	raisedNode(comment, {
		...updateComment,
		fields: [commentId, since([1], content), since([2], text)],
	});

const renamed = optionalFields.map((field) =>
	field.name === 'ogTitle' ? since([1], field) : field,
);
const [ogTitle] = optionalFields.filter((field) => field.name === 'ogTitle');
const shareTitle = since([2], { ...ogTitle, displayName: 'Share Title', name: 'shareTitle' });
const raisedTag = (option = shareTitle) =>
	raisedNode(tag, {
		...updateTag,
		fields: [tagLocator, keepOtherFields, updateFields([name, ...renamed, option])],
	});

async function run(
	node: INodeType,
	version: number,
	parameters: INodeParameters,
	isOnToolRoad = false,
) {
	const type = loaded(node);
	if (isOnToolRoad) delete type.customOperations;
	const { error, items } = await runNode(sandbox, parameters, {
		type: { name: 'communityPlatform', type, version },
	});
	const sent = sandbox.requests.all.map(({ method, path, body }) => ({ method, path, body }));
	return { error, items, sent };
}

describe('with its version raised, the node', () => {
	const base = { resource: 'comment', operation: 'update', commentId: '9200' };
	const put = { method: 'PUT', path: '/api/v1/comments/9200', body: { content: 'Changed' } };

	it.each([
		[1, 'as it was saved', { content: 'Changed' }, false],
		[1, 'as it was saved, as a tool', { content: 'Changed' }, true],
		[1, 'not by what only the new one knows', { content: 'Changed', text: 'Else' }, false],
		[2, 'by its new parameter', { text: 'Changed' }, false],
		[2, 'by its new parameter, as a tool', { text: 'Changed' }, true],
		[2, 'not by what only the old one knows', { text: 'Changed', content: 'Else' }, false],
	])('runs in a workflow of version %i %s', async (version, _how, parameters, isOnToolRoad) => {
		const { error, items, sent } = await run(
			raisedComment(),
			version,
			{ ...base, ...parameters },
			isOnToolRoad,
		);

		expect(error).toBeUndefined();
		expect(sent).toEqual([put]);
		expect(items[0].json).toMatchObject({ comment_id: 9200, clean_text: 'Changed' });
	});

	it.each([
		[1, { content: '={{ $json.nothing }}', text: 'Changed' }, 'Content'],
		[2, { text: '={{ $json.nothing }}', content: 'Changed' }, 'Text'],
	])('asks in version %i for what that version needs', async (version, parameters, label) => {
		const { error, sent } = await run(raisedComment(), version, { ...base, ...parameters });

		expect(error?.message).toContain(`"${label}" is empty`);
		expect(sent).toEqual([]);
	});

	it.each([
		[1, { ogTitle: 'New' }],
		[2, { shareTitle: 'New' }],
		[1, { ogTitle: 'New', shareTitle: 'Else' }],
		[2, { shareTitle: 'New', ogTitle: 'Else' }],
	])('takes in version %i from a collection what that version has: %j', async (version, fields) => {
		const { error, sent } = await run(raisedTag(), version, {
			...{ resource: 'tag', operation: 'update', tagId: byId('9400'), updateFields: fields },
		});

		expect(error).toBeUndefined();
		expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		expect(sent[1].body).toMatchObject({ og_title: 'New' });
	});

	it.each([
		[1, { shareTitle: 'New' }],
		[2, { ogTitle: 'New' }],
	])('finds nothing to change in version %i in %j', async (version, fields) => {
		const { error, sent } = await run(raisedTag(), version, {
			...{ resource: 'tag', operation: 'update', tagId: byId('9400'), updateFields: fields },
		});

		expect(error?.message).toBe('Nothing was given to change');
		expect(sent).toEqual([]);
	});

	it.each([
		[1, { ogTitle: 'New' }, 'Open Graph Title'],
		[2, { shareTitle: 'New' }, 'Share Title'],
	])(
		'calls in version %i what the API refuses by the label there',
		async (version, fields, label) => {
			const [method, message] = ['PUT', 'ERR_V1 og_title is too long'];
			sandbox.faults.add({ kind: 'status', status: 400, message, method });

			const { error } = await run(raisedTag(), version, {
				...{ resource: 'tag', operation: 'update', tagId: byId('9400'), updateFields: fields },
			});

			expect(error?.description).toContain(`"${label}"`);
		},
	);

	it.each([
		[1, undefined],
		[2, 'An update needs a value for "Share Title"'],
	])(
		'needs in version %i no more for a replacement than that version did',
		async (version, needs) => {
			const { error } = await run(raisedTag({ ...shareTitle, required: true }), version, {
				...{ resource: 'tag', operation: 'update', tagId: byId('9400') },
				...{ keepOtherFields: false, updateFields: { name: 'Guides' } },
			});

			expect(error?.message).toBe(needs);
		},
	);

	it('keeps the public contract, which the same change without a version breaks', async () => {
		const parts = await loadParts('sources');
		const before = contractOf(parts);
		const after = (node: INodeType) =>
			contractOf({ ...parts, nodes: [node, ...parts.nodes.slice(1)] });

		expect(breakingDifferences(before, after(raisedComment()))).toEqual([]);
		expect(breakingDifferences(before, after(raisedTag()))).toEqual([]);
		const unraised = raisedNode(comment, { ...updateComment, fields: [commentId, text] });
		expect(breakingDifferences(before, after(unraised))).toEqual([
			'communityPlatform: content is gone (@version 1, resource comment, operation update; and 1 more)',
			'communityPlatform: text is new and has to be filled in (@version 1, resource comment, operation update; and 1 more)',
		]);
	});
});
