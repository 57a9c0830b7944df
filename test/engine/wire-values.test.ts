import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useKnownRecords } from '../support/known-records.mts';
import { runNode } from '../support/engine.mts';
import { action } from '../support/operations.mts';

const sandbox = useKnownRecords();

interface ValueCase {
	title: string;
	/** An item like a row of a spreadsheet or another node's output. */
	row: IDataObject;
	parameters: INodeParameters;
	expectedRequest: { url: string; body?: IDataObject };
}

// Values of a type that the API does not accept, because cells of a spreadsheet are text or numbers.
const cases: ValueCase[] = [
	{
		title: 'text for a limit, a filter and an option',
		row: { limit: '3', status: '10', once: '4' },
		parameters: action('user.getAll', {
			limit: '={{ $json.limit }}',
			filters: { status: '={{ $json.status }}' },
			options: { maxRequestsAtOnce: '={{ $json.once }}' },
		}),
		expectedRequest: { url: '/api/v1/users?status=10&page=1&page_size=3' },
	},
	{
		title: "text for 'Return All'",
		row: { all: 'true' },
		parameters: action('role.getAll', { returnAll: '={{ $json.all }}' }),
		expectedRequest: { url: '/api/v1/roles?page=1&page_size=50' },
	},
];

it.each(cases)('accepts $title', async ({ row, parameters, expectedRequest }) => {
	const { error } = await runNode(sandbox, parameters, { items: [row] });
	expect(error).toBeUndefined();
	expect(sandbox.requests.all).toHaveLength(1);
	const [{ url, body }] = sandbox.requests.all;
	expect({ url, body }).toEqual({ body: undefined, ...expectedRequest });
});

it.each<[string, INodeParameters]>([
	['tag', action('tag.create', { name: '\u200bAda\u2060 ' })],
	['user', action('user.create', { firstName: '\u200bAda\ufeff', email: 'a@b.example' })],
])('sends no invisible characters at the ends of the name of a %s', async (_, parameters) => {
	await runNode(sandbox, parameters);
	const { name, first_name } = sandbox.requests.all[0].body as IDataObject;
	expect(name ?? first_name).toBe('Ada');
});

it('sends values of one line without the spaces and line ends around them', async () => {
	const more = { lastName: ' Love\n', userAvatar: ' https://a.example/x.png ', ssoId: '\t7' };
	const member = { firstName: 'Ada', email: 'a@b.example', additionalFields: more };
	await runNode(sandbox, action('user.create', member));
	const sent = { last_name: 'Love', user_avatar: 'https://a.example/x.png', sso_id: '7' };
	expect(sandbox.requests.all[0].body).toMatchObject(sent);
});

it('keeps text unchanged, with its spaces, quotes and line breaks', async () => {
	const content = '  "quoted"\n\t<b>über</b> {{ 1 }} 👋 \\ ';
	await runNode(
		sandbox,
		action('comment.update', {
			commentId: '9200',
			contentType: 'html',
			content: '={{ $json.text }}',
		}),
		{ items: [{ text: content }] },
	);
	expect(sandbox.requests.all[0].body).toEqual({ content });
	expect(sandbox.community.comments.get(9200)?.content).toBe(content);
});
