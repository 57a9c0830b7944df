import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../support/community.mts';
import { ADA, useKnownRecords } from '../support/known-records.mts';
import { action } from '../support/operations.mts';
import { callUnchecked } from '../support/agent.mts';
import { runNode } from '../support/engine.mts';
import { runWithOption } from '../support/with-option.mts';

const sandbox = useKnownRecords();

const TEXT = 'Tom & "Jerry" <3\nreally';
const HTML = 'Tom &amp; "Jerry" &lt;3<br>really';

const text = (content: string): INodeParameters => ({ contentType: 'text', content });
const create = (content: INodeParameters) =>
	action('post.create', { boardId: byId('900'), headline: 'Hello', author: byId(ADA), ...content });
const update = (updateFields: INodeParameters) =>
	action('post.update', { postId: '9100', updateFields });
const sent = () => sandbox.requests.all.map(({ body }) => body).find((body) => body !== undefined);

it.each<[string, INodeParameters]>([
	['post.create', create(text(TEXT))],
	['post.update', update(text(TEXT))],
	[
		'comment.create',
		action('comment.create', { postId: '9100', author: byId(ADA), ...text(TEXT) }),
	],
	['comment.update', action('comment.update', { commentId: '9200', ...text(TEXT) })],
	['reply.create', action('reply.create', { commentId: '9200', author: byId(ADA), ...text(TEXT) })],
	['reply.update', action('reply.update', { replyId: '9300', ...text(TEXT) })],
])('plain text of %s is sent as HTML, and its type is not sent', async (_, parameters) => {
	const { error } = await runNode(sandbox, parameters);
	expect(error).toBeUndefined();
	expect(sent()).toMatchObject({ content: HTML });
	expect(sent()).not.toHaveProperty('contentType');
});

it.each([
	['a single line is sent as it is', ' It\'s "fine" ', ' It\'s "fine" '],
	['special characters are escaped once', '&lt; 1 < 2 > 0', '&amp;lt; 1 &lt; 2 &gt; 0'],
	[
		'line breaks of any system are converted',
		'a\r\nb\rc\nd\ve\u0085f\u2028g\u2029h',
		['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('<br>'),
	],
	['blank lines divide paragraphs', 'a\nb\n\nc\n \t\n\r\nd', '<p>a<br>b</p><p>c</p><p>d</p>'],
	['line breaks at the ends are ignored', '\n\na\n', 'a'],
])('%s', async (_, content, html) => {
	await runNode(sandbox, create(text(content)));
	expect(sent()).toMatchObject({ content: html });
});

it.each<[string, INodeParameters, string]>([
	['as plain text unless another type is chosen', {}, HTML],
	['unchanged as HTML', { contentType: 'html' }, TEXT],
])('content is sent %s', async (_, type, content) => {
	for (const of of [create, update]) {
		sandbox.requests.clear();
		await runNode(sandbox, of({ ...type, content: TEXT }));
		expect(sent()).toMatchObject({ content });
	}
});

it.each([
	['a post', update({ contentType: '={{ $json.type }}', content: 'a' })],
	[
		'a comment',
		action('comment.update', { commentId: '9200', ...text('a'), contentType: '={{ $json.type }}' }),
	],
])('an expression without a type is refused: %s', async (_, parameters) => {
	const { error } = await runNode(sandbox, parameters);
	expect(error?.message).toContain("'Content Type' is empty");
	expect(sandbox.requests.total).toBe(0);
});

it('an update with only a content type changes nothing', async () => {
	const { error } = await runNode(sandbox, update({ contentType: 'text' }));
	expect(error?.message).toContain('There is nothing to update');
});

it('Dry Run and Skip Unchanged compare the converted content', async () => {
	const { items } = await runWithOption(sandbox, 'dryRun', update(text('a < b')));
	expect(items[0].changes).toEqual({ content: { from: '<p>Hello</p>', to: 'a &lt; b' } });
	await runNode(sandbox, update(text('a < b')));
	sandbox.requests.clear();
	const { items: again } = await runWithOption(sandbox, 'skipUnchanged', update(text('a < b')));
	expect(again[0].changed).toBe(false);
	expect(sent()).toBeUndefined();
});

describe('HTML in a plain text', () => {
	const HINT =
		"The text contains HTML, which appears as typed. If it is meant as HTML, choose it in 'Content Type'.";
	const author = byId(ADA);
	const operations: Array<[string, (content: INodeParameters) => INodeParameters]> = [
		['post.create', create],
		['post.update', update],
		[
			'comment.create',
			(content) => action('comment.create', { postId: '9100', author, ...content }),
		],
		['comment.update', (content) => action('comment.update', { commentId: '9200', ...content })],
		[
			'reply.create',
			(content) => action('reply.create', { commentId: '9200', author, ...content }),
		],
		['reply.update', (content) => action('reply.update', { replyId: '9300', ...content })],
	];

	it.each(operations)('leads to a hint, once for all items: %s', async (_, parameters) => {
		const items = [{ text: '<p>Hello</p>' }, { text: '<p>Bye</p>' }, { text: 'Hello' }];
		const { hints } = await runNode(sandbox, parameters(text('={{ $json.text }}')), { items });
		expect(hints.filter((hint) => hint.includes('HTML'))).toEqual([HINT]);
	});

	it.each(['a<br>b', 'a<BR/>b', '<A HREF="https://x.example">x</A>', '<h2 class="x">Hi</h2>'])(
		'leads to a hint for one element, in any case: %s',
		async (content) => {
			expect((await runNode(sandbox, create(text(content)))).hints).toEqual([HINT]);
		},
	);

	it.each(operations)('leads to no hint if HTML is chosen: %s', async (_, parameters) => {
		const content = { contentType: 'html', content: '<p>Hello</p>' };
		const { hints } = await runNode(sandbox, parameters(content));
		expect(hints).toEqual([]);
	});

	it.each(['1 < 2 > 0', 'I <3 you', 'Write to <name> or <ada@x.example>', '<pre>', 'a <b'])(
		'leads to no hint if a text only looks similar: %s',
		async (content) => {
			expect((await runNode(sandbox, create(text(content)))).hints).toEqual([]);
		},
	);

	it('leads to no hint for an update without a text', async () => {
		const { hints } = await runNode(sandbox, update({ headline: '<p>' }));
		expect(hints).toEqual([]);
	});

	it.each<[string, string, object[]]>([
		['is reported to a model', '<p>Hello</p>', [{ hint: HINT }]],
		['is not reported to a model that writes none', 'Hello, 1 < 2', []],
	])('%s', async (_, x, expected) => {
		const [answer] = await callUnchecked(sandbox, create(text("={{ $fromAI('x') }}")), { x });
		const [, ...hints] = JSON.parse(answer) as object[];
		expect(hints).toEqual(expected);
	});
});

it('a model can write a list as plain text', async () => {
	const content = "={{ $fromAI('x') }}";
	await callUnchecked(sandbox, create(text(content)), { x: '- 1 * 2\n- 3 * 4' });
	expect(sent()).toMatchObject({ content: '- 1 * 2<br>- 3 * 4' });
});

it.each([
	['text', '- one<br>- two'],
	['html', '- one\n- two'],
])('text of a model is sent by the content type of the node, %s', async (contentType, content) => {
	const asked = { contentType, content: "={{ $fromAI('x') }}" };
	await callUnchecked(sandbox, create(asked), { x: '- one\n- two' });
	expect(sent()).toMatchObject({ content });
});
