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
