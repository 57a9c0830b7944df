import {
	idList,
	LookUp,
	memberId,
	memberMsid,
	namedId,
	nameKey,
	numberOf,
	postNumber,
	toExactNumber,
	toNumberIfExact,
	type Reference,
} from '../../nodes/CommunityPlatform/input/identifiers.ts';
import { Failure } from '../../nodes/shared/failure.ts';
import { failureOf } from '../support/failures.mts';
import type { Convert } from '../../nodes/CommunityPlatform/actions/field.ts';

const READERS = {
	board: namedId('board'),
	role: namedId('role', toExactNumber),
	tags: idList,
	post: postNumber,
	comment: numberOf('comment'),
	member: memberId,
	msid: memberMsid,
} satisfies Record<string, Convert>;
type Reader = keyof typeof READERS;

async function find({ kind, by, text, label }: Reference): Promise<string> {
	if (kind !== 'user') return `${kind} named ${text} in ${label}`;
	return by === 'id' ? `msid of ${text}` : `msid of ${by} ${text} in ${label}`;
}
const PAST_EXACT = '9007199254740993';
const SITE = 'https://community.example.com';

it.each<[Reader, unknown, unknown, mode?: string]>([
	['comment', ' 42\n', '42'],
	['comment', 42, '42'],
	['comment', '0042', '42'],
	['comment', '0', '0'],
	['comment', PAST_EXACT, PAST_EXACT],
	['post', '9100', '9100'],
	['post', ' #9100', '9100'],
	['comment', '#42', '42'],
	['msid', '#42.a', '42.a', 'id'],
	['msid', '"ada"', 'msid of username ada in Thing', 'id'],
	['post', `${SITE}/posts/9100`, '9100'],
	['post', `${SITE}/post/9100/first-post?sort=new#comment-3`, '9100'],
	['post', `${SITE}/boards/900/posts/9100-first-post`, '9100'],
	['post', `  HTTP://127.0.0.1:8080/#/Posts/9100  `, '9100'],
	['member', '007.00a', '7.00a'],
	['member', '42.10', '42.10'],
	['member', 9001, '9001'],
	['msid', '042.a', '42.a'],
	['msid', '042', 'msid of 42'],
	['msid', ' Me ', 'msid of me'],
	['msid', 'ME', 'msid of me', 'id'],
	['member', 'me', 'msid of me', 'id'],
	['tags', '9400, 0501;501\n3', '9400,501,3'],
	['tags', [9400, '3'], '9400,3'],
	['role', '09007199254740991', 9007199254740991],
	['board', 7, '7'],
	['board', ' News ', 'board named News in Thing', 'name'],
	['board', '7', 'board named 7 in Thing', 'name'],
	['board', 'News', 'board named News in Thing', 'id'],
	['board', '77', '77', 'id'],
	['board', '7 News', 'board named 7 News in Thing', 'id'],
	['board', 'News 7', 'board named News 7 in Thing', 'id'],
	['msid', '@ada', 'msid of username ada in Thing', 'username'],
	['msid', 'ada@site', 'msid of email ada@site in Thing', 'email'],
	['msid', 'ada@site', 'msid of email ada@site in Thing', 'id'],
	['msid', '@ada', 'msid of username ada in Thing', 'id'],
	['msid', '"@ada"', 'msid of username ada in Thing', 'id'],
	['msid', '42.ada@site', 'msid of email 42.ada@site in Thing', 'id'],
	['msid', '42.a', '42.a', 'id'],
	['msid', 42, 'msid of 42', 'id'],
	['member', 'ada', 'msid of username ada in Thing', 'username'],
	['msid', 'me', 'msid of username me in Thing', 'username'],
	['msid', 'Me (Owner of the API Key)', 'msid of me', 'id'],
	['msid', 'Ada <ada@site>', 'msid of email ada@site in Thing', 'email'],
	['msid', 'Ada Lovelace < mailto:ada@site >', 'msid of email ada@site in Thing', 'id'],
	['msid', 'mailto:ada@site', 'msid of email ada@site in Thing', 'id'],
])('%s: %j is read as %j', async (reader, value, expected, mode) => {
	const read = READERS[reader](value, 'Thing', mode);
	const known = read instanceof LookUp ? await read.value(find) : read;
	expect(known).toBe(expected);
});

const MEMBER = [
	'a member ID',
	"Enter a username, an email address or a member ID (msid) in 'Thing', e.g. 42.a1b2c3.",
] as const;
const ADDRESS = [
	'an email address',
	"Enter an address such as ada@example.com in 'Thing'.",
] as const;
const USERNAME = [
	'a username',
	"Enter a username, an email address or a member ID (msid) in 'Thing'. 'Get Many' lists usernames.",
] as const;
const NUMBER = "Enter a number in 'Thing', e.g. 42.";
const TAGS = "Enter at least one tag ID in 'Thing', e.g. 3, 14, 15.";

it.each<[Reader, unknown[], what: string, advice: string]>([
	['comment', ['abc', '1.5', -1.5, '1e3', '../2', '2?x', true, {}, [1, 2]], 'a comment ID', NUMBER],
	['post', ['1/2', 'posts/1'], 'a post ID', NUMBER],
	[
		'role',
		[-3, true],
		'a role ID',
		"Enter the ID or the name of the role in 'Thing'. 'Get Many' lists all roles.",
	],
	['member', ['42.a/b', '42.a?b', '42.a#b', -42, {}, []], ...MEMBER],
	['tags', ['1, x', ['1', 'x']], 'a tag ID', TAGS],
])('%s refuses all of %j', (reader, values, what, advice) => {
	for (const value of values) {
		const { reason, advice: told } = failureOf(() => READERS[reader](value, 'Thing'));
		const quoted =
			typeof value === 'object' && reader !== 'tags' ? /^The (object|list) you entered/ : /^'.+'/;
		expect(reason).toMatch(quoted);
		expect(reason.endsWith(` is not ${what}`)).toBe(true);
		expect(told).toBe(advice);
	}
});

it.each<[mode: string, values: string[], what: string, advice: string]>([
	['username', ['a b', 'a/b', 'a?b', 'a#b', 'a"b', 'ada@site', '@@', 'a b c'], ...USERNAME],
	['id', ['a b', '42.a b'], ...USERNAME],
	['id', ['/ada', 'a/b', 'ada/', '42/a'], ...MEMBER],
	['id', ['ada@', 'a b@site', 'a@b@site', 'a@b c'], ...ADDRESS],
])('%s refuses all of %j as a member', (mode, values, what, advice) => {
	for (const value of values) {
		const failure = failureOf(() => READERS.msid(value, 'Thing', mode));
		expect(failure).toEqual({ reason: `'${value}' is not ${what}`, advice });
	}
});

it('consists of several, some of which are looked up', async () => {
	const valueOf = (ids: string[]) => ids.join();
	const named = (text: string): Reference => ({ kind: 'board', by: 'name', text, label: 'Thing' });
	expect(LookUp.of(['1', '2'], valueOf)).toBe('1,2');
	const lookUp = LookUp.of(['1', named('News')], valueOf) as LookUp;
	expect(await lookUp.value(find)).toBe('1,board named News in Thing');
	const missing = LookUp.of([named('ada'), '1', named('bob')], valueOf) as LookUp;
	const failing = missing.value(async ({ text }) => {
		throw new Failure(`No ${text}`, 'Check it.');
	});
	await expect(failing).rejects.toMatchObject({ message: 'No ada. No bob', advice: 'Check it.' });
});

const ROUNDED =
	'Have the previous node return the ID as text, e.g. format its column in the spreadsheet as plain text. n8n rounds numbers with more than 15 digits, and drops zeros at the end of a decimal number.';
const NO_POST = 'contains a URL without the ID of a post';
const POST_ALONE = "Enter only the ID of the post in 'Thing', e.g. 42.";

it.each<[Reader, unknown, reason: string, advice: string]>([
	['comment', ' \u200b', 'is empty', NUMBER],
	['comment', Number(PAST_EXACT), 'contains an ID that may have lost digits', ROUNDED],
	['member', 42.1, 'contains an ID that may have lost digits', ROUNDED],
	['tags', Number(PAST_EXACT), 'contains an ID that may have lost digits', ROUNDED],
	['tags', ' , \n', 'contains no ID', TAGS],
	['tags', '[]', 'contains no ID', TAGS],
	...[PAST_EXACT, '1'.repeat(400)].map((role): [Reader, unknown, string, string] => [
		...(['role', role, 'is out of range'] as const),
		"Enter a number of at most 9007199254740991 in 'Thing'.",
	]),
	...['/', '/posts/first-post', '/boards/9100', '/t/first-post/9100', '/?post=9100'].map(
		(path): [Reader, unknown, string, string] => ['post', SITE + path, NO_POST, POST_ALONE],
	),
])('%s refuses %j: %s', (reader, value, reason, advice) => {
	expect(failureOf(() => READERS[reader](value, 'Thing'))).toEqual({
		reason: `The parameter 'Thing' ${reason}`,
		advice,
	});
});

it('quotes at most sixty characters', () => {
	const { reason } = failureOf(() => READERS.comment(`${'9'.repeat(100_000)}x`, 'Thing'));
	expect(reason).toBe(`'${'9'.repeat(60)}…' is not a comment ID`);
});

it.each([
	['7', 7],
	[PAST_EXACT, PAST_EXACT],
])('shows %j as %j', (id, shown) => {
	expect(toNumberIfExact(id)).toBe(shown);
});

it.each([
	['username', ' @Ada_L', 'ada_l', 'ada_m'],
	['email', 'Ada <ADA@Site.example>', 'mailto:ada@site.example', 'ada@site.test'],
	['email', 'ada@m\u00fcller.example', 'ada@xn--mller-kva.example', 'ada@muller.example'],
] as const)('a member is the same by the %s %s and %s, but not by %s', (by, one, same, other) => {
	expect(nameKey(by, one)).toBe(nameKey(by, same));
	expect(nameKey(by, one)).not.toBe(nameKey(by, other));
});
