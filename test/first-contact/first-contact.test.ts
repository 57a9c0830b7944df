import { Community } from '../../dev/first-contact/community.mts';
import { type Contents, type Finding, visit } from '../../dev/first-contact/visit.mts';
import { useBareSandbox } from '../support/community.mts';
import { addKnownRecords } from '../support/known-records.mts';
import { answerWith, type Bend, bendAnswers } from '../support/bending.mts';
import { firstContact, KEY } from '../support/first-contact.mts';
import { serve } from '../support/servers.mts';

const sandbox = useBareSandbox({ members: 30, apiKey: KEY });

/** Visits the sandbox behind a server that changes its answers. */
async function visitBent(bend: Bend, contents: Contents = {}) {
	const bent = await bendAnswers(sandbox, bend);
	const findings: Finding[] = [];
	const community = new Community(bent.sandbox, 0);
	const isAccepted = await visit(community, contents, (finding) => findings.push(finding));
	await bent.close();
	const different = findings
		.filter(({ verdict }) => verdict === 'differs')
		.map(({ what, found }) => `${what}: ${found}`);
	return { findings, different, isAccepted, received: bent.requests };
}

/** Changes each record in the answers for a path. */
function eachRecord(pattern: RegExp, change: (record: Record<string, unknown>) => void): Bend {
	return (answer, _method, path) => {
		if (!pattern.test(path) || answer.status !== 200) return;
		const body = JSON.parse(answer.body) as Record<string, unknown>;
		for (const record of [body].flat()) change(record);
		answer.body = JSON.stringify(body);
	};
}

it('finds a community as documented, with GET requests only', async () => {
	const { different, isAccepted, received, findings } = await visitBent(() => {});
	expect([different, isAccepted]).toEqual([[], true]);
	expect(received.filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(findings).toContainEqual({
		what: 'A user read by number',
		verdict: 'open',
		found: 'works',
	});
});

it.each<[string, Bend, RegExp]>([
	['without has_more', ({ headers }) => delete headers.has_more, /roles: the header has_more is m/],
	[
		'with numbers as text',
		eachRecord(/\/users$/, (user) => (user.user_status = 'ten')),
		/users, 50 a page: \[\].user_status must be/,
	],
	[
		'with another record',
		eachRecord(/\/boards\/\d+$/, (board) => (board.board_id = 1e6)),
		/boards\/\{board_id\}: not what was asked for/,
	],
	[
		'that refuses a list',
		(answer, _method, path) => {
			if (path.endsWith('/boards')) answerWith(answer, {}, 403);
		},
		/boards, 50 a page: 403, not an answer of the API/,
	],
])('reports the differences of a community %s', async (_name, bend, finding) => {
	expect((await visitBent(bend)).different.join('\n')).toMatch(finding);
});

it.each([
	['<p>Hello</p>', 'with HTML tags'],
	['1 < 2 & 3 > 2', 'without HTML tags'],
])('reports whether content has HTML tags: %s', async (content, found) => {
	addKnownRecords(sandbox);
	const bend = eachRecord(/\/posts\/\d+$/, (post) => (post.content = content));
	const { findings } = await visitBent(bend, { post: '9100' });
	expect(findings).toContainEqual({ what: 'Content of a post', verdict: 'open', found });
});

it('does not print the key if a community has a field with its name, and ends with 1', async () => {
	const bent = await bendAnswers(
		sandbox,
		eachRecord(/\/users\/me$/, (self) => (self[`echo_${KEY}`] = 1)),
	);
	const { all, exitCode } = await firstContact(['--url', bent.origin]);
	await bent.close();
	expect(all).toContain('echo_[key] is not documented');
	expect(exitCode).toBe(1);
});

it('follows no redirect, and ends with 2', async () => {
	const server = await serve((_request, response) => {
		response.writeHead(301, { location: sandbox.baseUrl }).end();
	});
	const redirected = await firstContact(['--url', server.origin]);
	await server.close();
	expect(redirected.all).toMatch(/301, a redirect[^]*1 GET requests? [^]*Check the address/);
	expect([redirected.exitCode, sandbox.requests.total]).toEqual([2, 0]);
});
