import { reportOf, usesOf } from '../../dev/first-contact/report.mts';
import type { Finding, Use } from '../../dev/first-contact/finding.mts';
import { visit } from '../../dev/first-contact/visit.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { answerWith, type Bend, bendAnswers } from '../support/bending.mts';
import { closedOrigin, serve, serveTrickling } from '../support/servers.mts';

const PACE = { pauseMs: 0, mostRequests: 200 };

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ members: 30 });
});
afterAll(async () => await sandbox.close());

async function visitBent(bend: Bend) {
	const bent = await bendAnswers(sandbox, bend);
	try {
		return { ...(await visit(bent.sandbox, PACE, {})), received: bent.requests };
	} finally {
		await bent.close();
	}
}

const toReport = (findings: Finding[]) =>
	findings.filter(({ verdict }) => verdict === 'differs' || verdict === 'in the way');

it('finds a community as documented, with GET requests only', async () => {
	const { findings, ended, received } = await visitBent(() => {});

	expect(ended).toBeUndefined();
	expect(toReport(findings)).toEqual([]);
	expect(Object.values(usesOf(findings))).toEqual(Array(7).fill(true));
	expect(received.filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(received.length).toBeGreaterThan(30);
});

/** Changes each record that was answered at a path. */
function eachRecord(
	pattern: RegExp,
	change: (record: Record<string, unknown>, index: number) => void,
): Bend {
	return (answer, _method, path) => {
		if (!pattern.test(path) || answer.status !== 200) return;
		const body = JSON.parse(answer.body) as Record<string, unknown>;
		for (const [index, record] of [body].flat().entries()) change(record, index);
		answer.body = JSON.stringify(body);
	};
}

function eachList(pattern: RegExp, change: (records: unknown[]) => unknown[]): Bend {
	return (answer, _method, path) => {
		if (!pattern.test(path) || answer.status !== 200) return;
		const body = JSON.parse(answer.body) as unknown;
		if (Array.isArray(body)) answer.body = JSON.stringify(change(body));
	};
}

const USERS = /\/users$/;

// What is bent, the finding that says so, and what is not safe to use because of it.
const BENT: Array<[name: string, Bend, finding: RegExp, unsafe: Use[]]> = [
	[
		'without has_more',
		({ headers }) => delete headers.has_more,
		/Users, Header has_more, differs, missing/,
		[],
	],
	[
		'has_more is "yes"',
		({ headers }) => {
			if (headers.has_more === '1') headers.has_more = 'yes';
		},
		/Boards, Header has_more, differs, neither 0 nor 1, taken as more/,
		[],
	],
	[
		'has_more is 0 on every page',
		({ headers }) => {
			if ('has_more' in headers) headers.has_more = '0';
		},
		/Boards, Pages after one another, in the way, has_more is 0 after 5 of 50 records/,
		['listings', 'names', 'polling'],
	],
	[
		'has_more is 1 on every page',
		({ headers }) => {
			if ('has_more' in headers) headers.has_more = '1';
		},
		/Roles, Behind the last page, in the way, page 100000 says that there is more/,
		['listings', 'names', 'polling'],
	],
	[
		'other records on small pages',
		eachList(/\/roles$/, (roles) => (roles.length > 5 ? roles.toReversed() : roles)),
		/Roles, Pages after one another, in the way, other records than on one page of 50/,
		['listings', 'names'],
	],
	[
		'records that are null',
		eachList(/\/roles$/, (roles) => roles.map(() => null)),
		/Roles, Listed, in the way, GET \S+: 200, a list of what are no JSON objects/,
		['listings', 'names'],
	],
	[
		'tags without identifiers',
		eachRecord(/\/tags$/, (tag) => delete tag.tag_id),
		/Tags, Pages after one another, in the way, records without tag_id[^]*Tags by IDs, Found, not checked/,
		['listings', 'names'],
	],
	[
		'pages longer than asked for',
		eachList(USERS, (users) => [...users, ...users.map((user) => ({ ...(user as object) }))]),
		/Users, Page size 5 honoured, differs, 10 records/,
		['listings', 'polling'],
	],
	[
		'every page is the first one',
		(() => {
			let first: string | undefined;
			return (answer, _method, path) => {
				if (/\/boards$/.test(path)) answer.body = first ??= answer.body;
			};
		})(),
		/Boards, Pages after one another, in the way, \d+ of \d+ records repeated/,
		['listings', 'names'],
	],
	[
		'users in no order',
		eachList(USERS, (users) => users.toReversed()),
		/Users, Ordered by joined, desc, in the way, created_at is not in this order/,
		['listings', 'polling'],
	],
	[
		'another order at each reading',
		(() => {
			let count = 0;
			return eachList(/\/roles$/, (roles) => (count++ % 2 === 0 ? roles : roles.toReversed()));
		})(),
		/Roles, The same on two readings, differs/,
		[],
	],
	[
		'the status is ignored',
		eachRecord(USERS, (user) => (user.user_status = 10)),
		/Users on the wait-list, Filtered by status, in the way, \d+ of \d+ have another status/,
		['listings', 'polling'],
	],
	[
		'records in an envelope',
		(answer, _method, path) => {
			if (/\/boards(\/\d+)?$/.test(path) && answer.status === 200) {
				answerWith(answer, { data: JSON.parse(answer.body) as unknown });
			}
		},
		/Boards, Listed, in the way, GET \/api\/v1\/boards\?\S+: 200, a JSON object/,
		['listings', 'names'],
	],
	[
		'numbers as text',
		eachRecord(/\/tags/, (tag) => (tag.tag_id = String(tag.tag_id))),
		/Tag, Form TagFull, in the way, other type: tag_id: must be integer/,
		['records', 'listings', 'names', 'updates'],
	],
	[
		'a field more',
		eachRecord(/\/boards/, (board) => (board.colour = 'red')),
		/Board, Form Board, differs, additional: colour/,
		[],
	],
	[
		'a member without msid',
		eachRecord(/\/users\/\d/, (user) => delete user.msid),
		/User, Read by its identifier, in the way, GET \S+: 200, a JSON object with no msid/,
		['records', 'updates', 'confirming'],
	],
	[
		'another member than asked for',
		eachRecord(/\/users\/\d/, (user) => (user.msid = '1.other')),
		/User, Read by its identifier, in the way, .* with another msid/,
		['records', 'updates', 'confirming'],
	],
	[
		'roles without names',
		eachRecord(/\/roles$/, (role) => delete role.role_name),
		/Roles, Names, in the way, 7 of 7 without role_name/,
		['names'],
	],
	[
		'two boards of one name',
		eachRecord(/\/boards$/, (board, index) => {
			if (index < 2) board.board_name = 'News';
		}),
		/Boards, Names, differs, 1 are the same/,
		[],
	],
	[
		'a list of role IDs for who can post',
		eachRecord(/\/boards/, (board) => (board.permission_for = [1, 2])),
		/Left open, Who can post, answered, lists of role IDs/,
		[],
	],
	[
		'an empty answer for what does not exist',
		(answer, _method, path) => {
			if (path.endsWith('999999999')) Object.assign(answer, { status: 200, body: '' });
		},
		/What does not exist, Refused, in the way, GET \S+: 200, an empty body/,
		['records'],
	],
	[
		'refusals in a form of their own',
		(answer) => {
			if (answer.status === 404) answerWith(answer, { error: 'no' }, 404);
		},
		/What does not exist, Refused, differs, 404, a JSON object/,
		[],
	],
	[
		'a user only by msid',
		(answer, _method, path) => {
			if (/\/users\/\d+$/.test(path)) answerWith(answer, {}, 403);
		},
		/Left open, A user read by number, answered, only by msid: 403/,
		[],
	],
	[
		'tags that may not be listed',
		(answer, _method, path) => {
			if (/\/tags$/.test(path)) answerWith(answer, {}, 403);
		},
		/Tags, Listed, in the way, GET \S+: 403/,
		['listings', 'names'],
	],
	[
		'a search that finds nothing',
		(answer, _method, path) => {
			if (path.endsWith('/search')) answerWith(answer, []);
		},
		/Tag search, Found, in the way, 0 of 1/,
		['listings', 'names'],
	],
	[
		'times with fractions and a limit',
		(answer) => {
			answer.headers['ratelimit-remaining'] = '17';
			answer.body = answer.body.replaceAll(/(T\d\d:\d\d:\d\d)Z/g, '$1.500Z');
		},
		/Left open, Times, answered, with fractions[^]*Rate limit headers, answered, ratelimit-remaining/,
		[],
	],
	[
		'HTML in a pinned post',
		eachRecord(/\/posts\//, (post) => (post.content = '<h2>Hello</h2><p>all</p>')),
		/Left open, HTML in content, answered, h2, p/,
		[],
	],
];

it.each(BENT)('sees a community that is bent: %s', async (_name, bend, finding, unsafe) => {
	const { findings } = await visitBent(bend);

	const lines = findings.map(({ part, question, verdict, found }) =>
		[part, question, verdict, found].join(', '),
	);
	expect(lines.join('\n')).toMatch(finding);
	const uses = usesOf(findings);
	expect(Object.keys(uses).filter((use) => uses[use as Use] === false)).toEqual(unsafe);
});

it('shows nothing that may be personal, and no control characters', async () => {
	const visited = await visitBent((answer, _method, path) => {
		if (/\/users\/ada/.test(path)) return answerWith(answer, {}, 403);
		if (answer.status !== 200) return;
		const body = JSON.parse(answer.body) as object;
		for (const record of [body].flat() as Array<Record<string, unknown>>) {
			Object.assign(record, { 'ada@acme.test': 1, '+49170555012': 1, '\u001b[31mada': 1 });
			if ('board_type' in record) record.board_type = 'of ada@acme.test';
			if ('content' in record) record.content = '<p>Ada <ada@acme.test></p>';
			if (USERS.test(path)) record.msid = 'ada@acme.test';
			if ('is_bot' in record) record.role_id = 'ada@acme.test';
		}
		answer.body = JSON.stringify(body);
	});
	const report = reportOf(visited);

	expect(report).toContain('additional: (no plain name)');
	expect(report).toContain('GET /api/v1/users/…: 403');
	expect(report).not.toMatch(/ada|acme|49170|\p{Cc}(?<!\n)/u);
	const msids = [...JSON.stringify(visited.answers).matchAll(/"msid":"([^"]+)"/g)];
	expect(msids.filter(([, msid]) => report.includes(msid))).toEqual([]);
});

it('names no tag where a search gets no answer', async () => {
	const { ended } = await visitBent((answer, _method, path) => {
		if (path.endsWith('/search')) answerWith(answer, {}, 401);
	});

	expect(ended).toContain('GET /api/v1/tags/search?q=…: 401');
});

it('names no more than twenty fields', async () => {
	const fields = Object.fromEntries(
		Array.from({ length: 30 }, (_, index) => [`extra_${index}`, 1]),
	);
	const { findings } = await visitBent(
		eachRecord(/\/roles$/, (role) => Object.assign(role, fields)),
	);

	const [{ found }] = toReport(findings);
	expect(found).toMatch(/additional: extra_0, .*, 10 more$/);
});

it('waits as long as it is asked to, and reads on', async () => {
	let refused = 0;
	const { findings, answers } = await visitBent((answer, _method, path) => {
		if (!/\/roles$/.test(path) || refused > 0) return;
		refused++;
		answerWith(answer, {}, 429);
		answer.headers['retry-after'] = '0';
	});

	expect(toReport(findings)).toEqual([]);
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

it.each([
	['is busy for an hour', 429, { 'retry-after': '3600' }, /429, .*\. Come again in 60 minutes/],
	['does not take the key any more', 401, {}, /401, .*\. Check key and source system/],
])('ends where a community %s in the middle of the visit', async (_name, status, headers, said) => {
	const { findings, ended, answers } = await visitBent((answer, _method, path) => {
		if (!/\/roles$/.test(path)) return;
		answerWith(answer, {}, status);
		Object.assign(answer.headers, headers);
	});

	expect(ended).toMatch(said);
	expect(answers.filter((answer) => answer.status === status)).toHaveLength(1);
	expect(toReport(findings)).toEqual([]);
	const uses = usesOf(findings, true);
	expect(uses.credential).toBe(true);
	expect(Object.values(uses).filter((use) => use === undefined)).toHaveLength(6);
});

it('asks again where a server stumbles once', async () => {
	let asked = 0;
	const { findings, answers } = await visitBent((answer, _method, path) => {
		if (/\/boards$/.test(path) && ++asked === 2) answerWith(answer, {}, 502);
	});

	expect(toReport(findings)).toEqual([]);
	expect(answers.filter(({ status }) => status === 502)).toHaveLength(1);
});

it('says nothing of records that cannot be listed', async () => {
	const { findings } = await visitBent((answer, _method, path) => {
		if (/\/(users|boards)$/.test(path)) answerWith(answer, {}, 403);
	});
	const lines = findings.map(({ question, verdict, found }) => `${question}, ${verdict}, ${found}`);

	expect(lines).toContain('Filtered by status, not checked, no records');
	expect(lines.filter((line) => line.startsWith('Kinds of board'))).toEqual([]);
});

it('answers no question from what is no answer to it', async () => {
	const { findings } = await visitBent((answer, _method, path) => {
		if (/\/users\/\d+$/.test(path)) answerWith(answer, {}, 302);
	});

	expect(findings).toContainEqual(
		expect.objectContaining({ question: 'A user read by number', verdict: 'not checked' }),
	);
});

it('asks a credential for no more than to be accepted', async () => {
	const { findings } = await visitBent(
		eachRecord(/\/users\/me$/, (owner) => (owner.user_id = String(owner.user_id))),
	);

	expect(usesOf(findings)).toMatchObject({ credential: true, records: false });
});

describe('What is no community', () => {
	const contact = { sourceSystem: 'tests', apiKey: 'the-secret-key' };
	const PAGE = '<!doctype html><title>Shop</title>';

	it.each([
		['a web page', 200, { 'content-type': 'text/html' }, PAGE, '200, a web page'],
		[
			'another API',
			200,
			{ 'content-type': 'application/json' },
			'{"ok":true}',
			'200, a JSON object',
		],
		['a list', 200, {}, '[]', '200, a list'],
		['nothing', 204, {}, '', '204, an empty body'],
		['null', 200, {}, 'null', '200, no JSON object. Check the address'],
		[
			'a server that is busy for an hour',
			429,
			{ 'retry-after': '3600' },
			'{}',
			'429, a JSON object. Come again in 60 minutes, as the answer asks',
		],
		['a server that is down', 502, {}, '', '502, an empty body. Come again later'],
		['a wrong key', 403, {}, '{}', '403, a JSON object. Check key and source system'],
		[
			'a redirect',
			301,
			{ location: 'https://other.example/' },
			'',
			'301, a redirect. Give the address',
		],
	])('ends after one request: %s', async (_name, status, headers, body, found) => {
		const server = await serve((_request, response) => {
			response.writeHead(status, headers as Record<string, string>).end(body);
		});
		const { findings, answers } = await visit({ baseUrl: server.origin, ...contact }, PACE, {});
		await server.close();

		expect(answers).toHaveLength(1);
		expect(findings).toHaveLength(1);
		expect(findings[0].found).toContain(found);
		expect(Object.values(usesOf(findings)).filter((use) => use === true)).toEqual([]);
	});

	it('ends where nothing listens, without the key in what it says', async () => {
		const { findings, ended } = await visit(
			{ baseUrl: await closedOrigin(), ...contact },
			PACE,
			{},
		);

		expect(findings).toEqual([]);
		expect(ended).toMatch(/^GET \/api\/v1\/users\/me got no answer \(ECONNREFUSED\)/);
	});

	it('waits no longer for an answer that trickles in', async () => {
		const server = await serveTrickling();
		const pace = { ...PACE, timeoutMs: 300 };
		const { ended } = await visit({ baseUrl: server.origin, ...contact }, pace, {});
		await server.close();

		expect(ended).toContain('(not whole after 0.3 s)');
	});

	it.each([
		['before an answer', ''],
		['in the middle of one', '[{'],
	])('sends a request again whose connection broke %s, once', async (_name, begun) => {
		let asked = 0;
		const server = await serve((request, response) => {
			if (++asked > 1) response.end('[]');
			else if (begun === '') request.socket.resetAndDestroy();
			else response.write(begun, () => response.destroy());
		});
		const { answers, requests } = await visit({ baseUrl: server.origin, ...contact }, PACE, {});
		await server.close();

		expect(asked).toBe(2);
		expect(requests).toBe(2);
		expect(answers).toHaveLength(1);
	});

	it('says that the connection broke, and counts both requests', async () => {
		const server = await serve((_request, response) => {
			response.write('[{', () => response.destroy());
		});
		const { ended, requests } = await visit({ baseUrl: server.origin, ...contact }, PACE, {});
		await server.close();

		expect(ended).toContain('(the connection broke)');
		expect(requests).toBe(2);
	});

	it('says that an answer is too large, and counts it', async () => {
		const server = await serve((_request, response) => response.end('a'.repeat(10_000_001)));
		const { ended, requests } = await visit({ baseUrl: server.origin, ...contact }, PACE, {});
		await server.close();

		expect(ended).toContain('(larger than 10 MB)');
		expect(requests).toBe(1);
	});

	it('stops after the most requests that may be sent', async () => {
		const { ended, answers } = await visit(sandbox, { ...PACE, mostRequests: 9 }, {});

		expect(answers).toHaveLength(9);
		expect(ended).toBe('Stopped after 9 requests.');
	});
});
