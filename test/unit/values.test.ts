import {
	booleanValue,
	email,
	filledText,
	hexColor,
	listOf,
	nameText,
	objectLike,
	oneOf,
	permission,
	text,
	wholeNumber,
} from '../../nodes/shared/values.ts';
import { failureOf } from '../support/failures.mts';
import type { Convert } from '../../nodes/CommunityPlatform/actions/field.ts';

const dropdown = oneOf([
	{ name: 'All Users', value: 0 },
	{ name: 'Wait-List', value: 4 },
	{ name: 'Banned', value: -3 },
]);
const words = oneOf([
	{ name: 'Raw', value: 'raw' },
	{ name: 'Simplified', value: 'simplified' },
]);
const upTo200 = wholeNumber(1, 200);
const links = objectLike('{ "github": "ada" }');
const numbers = listOf(wholeNumber(1));
const poster = permission([{ name: 'Only Admins', value: 1 }]);
const luxon = { toISO: () => '2026-11-25T00:00:00.000Z' };
const READERS: Record<string, Convert> = {
	booleanValue,
	email,
	filledText,
	hexColor,
	nameText,
	text,
	dropdown,
	words,
	upTo200,
	links,
	numbers,
	poster,
};

it.each<[reader: string, value: unknown, read: unknown]>([
	['text', ' Ada ', ' Ada '],
	['text', 42, '42'],
	['text', false, 'false'],
	['text', new Date(0), '1970-01-01T00:00:00.000Z'],
	['text', luxon, '2026-11-25T00:00:00.000Z'],
	['filledText', 0, '0'],
	['nameText', ' Ada \u{1F600}\u200b', 'Ada \u{1F600}'],
	['booleanValue', true, true],
	['booleanValue', ' False ', false],
	['booleanValue', 1, true],
	['booleanValue', '0', false],
	['upTo200', ' 200 ', 200],
	['upTo200', 1, 1],
	['dropdown', '0', 0],
	['dropdown', 'wait - list', 4],
	['dropdown', 'ALL_USERS', 0],
	['dropdown', ' -3 ', -3],
	['words', 'RAW', 'raw'],
	['email', '\u200B ada@example.com\n', 'ada@example.com'],
	['email', 'mailto:ada@site', 'ada@site'],
	['email', 'mailto:ada@x.io?subject=Hi, you', 'ada@x.io'],
	['email', '"Ada, too" <ada@x.io>; ', 'ada@x.io'],
	['email', 'ada@\u200Bx.io,', 'ada@x.io'],
	['hexColor', ' #aBc ', '#aBc'],
	['hexColor', '#12aBc3', '#12aBc3'],
	['hexColor', '#1a2B3c4D', '#1a2B3c4D'],
	['links', '{ "github": "ada" }', { github: 'ada' }],
	['links', {}, {}],
	['numbers', ' 3, 14;15\n', [3, 14, 15]],
	['numbers', [null, 3, '', '14', '  ', 15], [3, 14, 15]],
	['numbers', '\n ["3", null, 14]', [3, 14]],
	['numbers', 42, [42]],
	['numbers', ' , ', []],
	['poster', 'only admins', 1],
	['poster', [3, 99], [3, 99]],
])('%s reads %p as %p', (reader, value, read) => {
	expect(READERS[reader](value, 'Thing')).toEqual(read);
});

const OFFERED = "Enter one of these in 'Thing': 0 (All Users), 4 (Wait-List), -3 (Banned).";
const showsValue =
	/^is (neither|out of|not an option|not a whole number|not an email address|not a hex color)/;
const NO_EMAIL = [
	'is not an email address',
	"Enter an address such as ada@example.com in 'Thing'.",
];
const NO_COLOR = ['is not a hex color', "Enter # and six hexadecimal digits in 'Thing'."];
const refusals = (reader: string, values: string[], [reason, advice]: string[]) =>
	values.map((value): [string, string, string, string] => [reader, value, reason, advice]);
const UP_TO_200 = "Enter a whole number from 1 to 200 in 'Thing'.";
const JSON_OBJECT = 'Enter a JSON object in \'Thing\', e.g. { "github": "ada" }.';

it.each<[reader: string, value: unknown, reason: string, advice: string]>([
	['text', {}, 'is not text', "Enter plain text in 'Thing', not an object or list."],
	['text', ['Ada'], 'is not text', "Enter plain text in 'Thing', not an object or list."],
	['filledText', ' \u200B\n', 'is empty', "Enter a value in 'Thing'."],
	['nameText', '\ud800', 'ends in the middle of an emoji', "Enter the whole name in 'Thing'."],
	['booleanValue', 'maybe', 'is neither true nor false', "Enter true or false in 'Thing'."],
	['booleanValue', ['true'], 'is neither true nor false', "Enter true or false in 'Thing'."],
	['upTo200', 201, 'is out of range', "Enter a whole number from 1 to 200 in 'Thing'."],
	['upTo200', '0', 'is out of range', "Enter a whole number from 1 to 200 in 'Thing'."],
	['upTo200', '1.5', 'is not a whole number', "Enter a whole number from 1 to 200 in 'Thing'."],
	...refusals('upTo200', ['', '0x10', '1e1'], ['is not a whole number', UP_TO_200]),
	['numbers', 2 ** 53, 'is out of range', "Enter a whole number of at least 1 in 'Thing'."],
	['numbers', '3, many', 'is not a whole number', "Enter a whole number of at least 1 in 'Thing'."],
	['dropdown', '3', "is not an option of 'Thing'", OFFERED],
	['dropdown', [0], "is not an option of 'Thing'", OFFERED],
	[
		'words',
		'rawer',
		"is not an option of 'Thing'",
		"Enter one of these in 'Thing': raw, simplified.",
	],
	...refusals(
		'email',
		[
			'ada@site now',
			'to ada@site',
			'to:mailto:',
			'ada',
			'ada@@example.com',
			'ada@x,io',
			'a@x.io;b@x.io',
		],
		NO_EMAIL,
	),
	...refusals('hexColor', ['x#123', '#xyz', '#1', '#gggggg', '#12345x', '#12345', 'red'], NO_COLOR),
	['dropdown', '- 3', "is not an option of 'Thing'", OFFERED],
	['links', '{ "github": ', 'is not valid JSON', JSON_OBJECT],
	['links', '[1]', 'is not a JSON object', JSON_OBJECT],
	['links', new Date(0), 'is not a JSON object', JSON_OBJECT],
	['links', new Map(), 'is not a JSON object', JSON_OBJECT],
	[
		'poster',
		'Admins',
		"is not an option of 'Thing'",
		"Enter one of these in 'Thing': 1 (Only Admins).",
	],
])('%s refuses %p: %s', (reader, value, reason, advice) => {
	const said = Array.isArray(value)
		? 'The list you entered'
		: `'${String(value).replace('3, ', '')}'`;
	expect(failureOf(() => READERS[reader](value, 'Thing'))).toEqual({
		reason: `${showsValue.test(reason) ? said : "The parameter 'Thing'"} ${reason}`,
		advice,
	});
});
