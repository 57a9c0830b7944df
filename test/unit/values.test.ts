import type { ReadValue } from '../../nodes/CommunityPlatform/input/values.ts';
import {
	badValue,
	email,
	filledText,
	hexColor,
	isMap,
	jsonObject,
	listOf,
	objectLike,
	oneOf,
	permission,
	text,
	truth,
	wholeNumber,
	written,
} from '../../nodes/CommunityPlatform/input/values.ts';
import { tagName } from '../../nodes/CommunityPlatform/actions/tag/tagName.ts';
import { Failure } from '../../nodes/shared/transport/failure.ts';
import { failureOf } from '../support/failures.mts';

const refusalOf = (read: ReadValue, value: unknown) => failureOf(() => read(value, 'Thing'));
const refusal = (reason: string, advice: string) => ({
	reason: `The parameter "Thing" ${reason}`,
	advice,
});

it('names the parameter and what to give instead in a failure', () => {
	const failure = badValue('Post ID', 'is missing', 'Give a number.');
	expect(failure).toBeInstanceOf(Failure);
	expect(failure.message).toBe('The parameter "Post ID" is missing');
	expect(failure.advice).toBe('Give a number.');
});

describe('a value is written out', () => {
	it.each<[unknown, string]>([
		['  Ada \n', 'Ada'],
		[42, '42'],
		[true, 'true'],
		['', ''],
	])('%j as %j', (value, expected) => {
		expect(written(value)).toBe(expected);
	});

	it.each([[{ a: 1 }], [['only']], [null], [Object.create(null)]])(
		'with nothing for an object or a list such as %j',
		(value) => {
			expect(written(value)).toBe('');
		},
	);
});

describe('text', () => {
	it.each<[unknown, string]>([
		[' Ada ', ' Ada '],
		['', ''],
		[42, '42'],
		[false, 'false'],
	])('takes %j for %j, with the space that it has', (value, expected) => {
		expect(text(value, 'Thing')).toBe(expected);
	});

	const ADVICE = 'Give plain text in "Thing", not an object or a list.';

	it.each([[{ a: 1 }], [['Ada']], [{}]])('is not what %j is', (value) => {
		expect(refusalOf(text, value)).toEqual(refusal('is not text', ADVICE));
	});
});

describe('text that has to be filled', () => {
	it.each<[unknown, string]>([
		['Ada', 'Ada'],
		[' Ada ', ' Ada '],
		[0, '0'],
	])('is %j', (value, expected) => {
		expect(filledText(value, 'Thing')).toBe(expected);
	});

	it.each([[''], ['  '], ['\n\t']])('is not %j', (value) => {
		expect(refusalOf(filledText, value)).toEqual(refusal('is empty', 'Give a value in "Thing".'));
	});

	it('is not an object', () => {
		expect(refusalOf(filledText, {}).reason).toBe('The parameter "Thing" is not text');
	});
});

describe('the name of a tag', () => {
	it.each(['HowTo', '#HowTo', '# How to', 'C#', '#1', '# a #'])('can be %j', (name) => {
		expect(tagName(name, 'Thing')).toBe(name);
	});

	it.each(['#', '##', ' # ', '# #', '#\t#\n'])('cannot be %j, which leaves nothing', (name) => {
		expect(refusalOf(tagName, name)).toEqual(
			refusal('is only a hash sign', 'Give a name such as HowTo in "Thing".'),
		);
	});

	it('cannot be empty', () => {
		expect(refusalOf(tagName, ' ').reason).toBe('The parameter "Thing" is empty');
	});
});

describe('yes or no', () => {
	it.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
		['TRUE', true],
		[' False ', false],
	])('is read from %j', (value, expected) => {
		expect(truth(value, 'Thing')).toBe(expected);
	});

	it.each([['yes'], ['no'], [1], [0], ['untrue'], [{}], [['true']]])(
		'is not read from %j',
		(value) => {
			expect(refusalOf(truth, value)).toEqual(
				refusal('is neither true nor false', 'Give true or false in "Thing".'),
			);
		},
	);
});

describe('a whole number', () => {
	const upTo200 = wholeNumber(1, 200);
	const fromOne = wholeNumber(1);

	it.each<[unknown, number]>([
		[1, 1],
		[200, 200],
		['1', 1],
		[' 200 ', 200],
		[57, 57],
	])('from 1 to 200 is %j', (value, expected) => {
		expect(upTo200(value, 'Thing')).toBe(expected);
	});

	it.each([[0], [201], ['0'], ['201'], [-5]])('from 1 to 200 is not %j', (value) => {
		expect(refusalOf(upTo200, value)).toEqual(
			refusal('is out of range', 'Give a whole number from 1 to 200 in "Thing".'),
		);
	});

	it.each([[1.5], ['1.5'], ['many'], [''], [' '], [true], [[7]], [{}], [Infinity]])(
		'is not %j',
		(value) => {
			expect(refusalOf(upTo200, value)).toEqual(
				refusal('is not a whole number', 'Give a whole number from 1 to 200 in "Thing".'),
			);
		},
	);

	it('without a largest goes as far as numbers are exact', () => {
		expect(fromOne(Number.MAX_SAFE_INTEGER, 'Thing')).toBe(Number.MAX_SAFE_INTEGER);
	});

	it.each([[0], ['0'], [2 ** 53]])(
		'without a largest is not %j, and only the smallest is named',
		(value) => {
			expect(refusalOf(fromOne, value)).toEqual(
				refusal('is out of range', 'Give a whole number of at least 1 in "Thing".'),
			);
		},
	);

	it.each([[''], ['  ']])('from 0 on is not %j, which is no zero', (value) => {
		expect(refusalOf(wholeNumber(0), value)).toEqual(
			refusal('is not a whole number', 'Give a whole number of at least 0 in "Thing".'),
		);
	});
});

describe('one of the values of a dropdown', () => {
	const numbers = oneOf([
		{ name: 'All Users', value: 0 },
		{ name: 'Any Member', value: 1 },
	]);
	const words = oneOf([
		{ name: 'Raw', value: 'raw' },
		{ name: 'Simplified', value: 'simplified' },
	]);

	it.each<[unknown, number]>([
		[0, 0],
		[1, 1],
		['0', 0],
		[' 1 ', 1],
		['all users', 0],
		['ANY_MEMBER', 1],
		['any -  member\n', 1],
	])('%j gives the number as the API takes it', (value, expected) => {
		expect(numbers(value, 'Thing')).toBe(expected);
	});

	it.each([['raw'], ['\traw '], ['Raw'], ['RAW']])('%j gives the word', (value) => {
		expect(words(value, 'Thing')).toBe('raw');
	});

	it('is known by a further word, too, in any case', () => {
		const sorted = oneOf([{ name: 'Joined', value: 'joined' }], { created_at: 'joined' });
		expect(sorted('Created_At', 'Thing')).toBe('joined');
	});

	it.each<[unknown, number]>([
		['-1', -1],
		['1', 1],
		['-10', -10],
		['minus 10', -10],
		['10 days', 10],
		['to-1', 3],
	])('%j keeps the sign of a number, and no other', (value, expected) => {
		const signed = oneOf([
			...[-1, 1, 10, -10].map((each) => ({ name: `No ${each}`, value: each })),
			...[{ name: 'Minus 10', value: -10 }],
			...[{ name: '10 Days', value: 10 }],
			...[{ name: 'To 1', value: 3 }],
		]);
		expect(signed(value, 'Thing')).toBe(expected);
	});

	it.each([[2], ['-1'], [''], ['All'], [null], [[0]], [{ value: 0 }]])(
		'%j is refused with what each number stands for',
		(value) => {
			expect(refusalOf(numbers, value)).toEqual(
				refusal(
					'has a value that is not offered',
					'Give one of these in "Thing": 0 (All Users), 1 (Any Member).',
				),
			);
		},
	);

	it.each([['raw data'], ['ra'], ['rawer'], [['raw']]])(
		'%j is refused with the words, which speak for themselves',
		(value) => {
			expect(refusalOf(words, value)).toEqual(
				refusal(
					'has a value that is not offered',
					'Give one of these in "Thing": raw, simplified.',
				),
			);
		},
	);
});

describe('an email address', () => {
	it.each([['ada@example.com'], [' ada@example.com\n'], ['a+b.c@mail.example.co.uk']])(
		'is %j, without the space around it',
		(value) => {
			expect(email(value, 'Thing')).toBe(value.trim());
		},
	);

	it.each([
		['ada'],
		['@example.com'],
		['ada@'],
		['ada@@example.com'],
		['ada@example@com'],
		['ada lovelace@example.com'],
		['ada@example.com bob@example.com'],
		['ada@exam ple.com'],
		[''],
		[42],
		[['ada@example.com']],
	])('is not %j', (value) => {
		expect(refusalOf(email, value)).toEqual(
			refusal('is not an email address', 'Give an address such as ada@example.com in "Thing".'),
		);
	});
});

describe('a color', () => {
	it.each(['#330000', '#fff', '#FFFF', '#1a2B3c4D', ' #aBc '])('is %j', (value) => {
		expect(hexColor(value, 'Thing')).toBe(value.trim());
	});

	it.each([
		['330000'],
		['#'],
		['#ff'],
		['#12345'],
		['#1234567'],
		['#123456789'],
		['#ggg'],
		['#12345g'],
		['#1234567g'],
		['color #fff'],
		['#fff;'],
		['red'],
		[['#fff']],
	])('is not %j', (value) => {
		expect(refusalOf(hexColor, value)).toEqual(
			refusal('is not a hex color', 'Give a color such as #330000 in "Thing".'),
		);
	});
});

describe('a JSON object', () => {
	const links = objectLike('{ "github": "ada" }');
	const ADVICE = 'Give a JSON object in "Thing", e.g. { "github": "ada" }.';

	it.each<[string, unknown]>([
		['text', '{ "github": "ada", "more": { "n": 1 } }'],
		['an object', { github: 'ada', more: { n: 1 } }],
	])('can be given as %s', (_way, value) => {
		expect(links(value, 'Thing')).toEqual({ github: 'ada', more: { n: 1 } });
	});

	it.each([['{}'], [{}]])('can be without keys, as %j', (value) => {
		expect(links(value, 'Thing')).toEqual({});
	});

	it.each([['{ "github": '], [''], ['ada']])('is not %j, and the advice shows one', (value) => {
		expect(refusalOf(links, value)).toEqual(refusal('is not valid JSON', ADVICE));
	});

	it.each([['[1]'], ['null'], ['"ada"'], ['7'], [[1]], [null], [7], [true]])(
		'is not %j, which is JSON of another kind',
		(value) => {
			expect(refusalOf(links, value)).toEqual(refusal('is not a JSON object', ADVICE));
		},
	);

	it('of any keys is shown with a key and a value', () => {
		expect(jsonObject('{ "a": 1 }', 'Thing')).toEqual({ a: 1 });
		expect(refusalOf(jsonObject, 'a')).toEqual(
			refusal('is not valid JSON', 'Give a JSON object in "Thing", e.g. { "key": "value" }.'),
		);
	});
});

it.each<[unknown, boolean]>([
	[{}, true],
	[{ a: 1 }, true],
	[null, false],
	[undefined, false],
	[[], false],
	[['a'], false],
	['text', false],
	[7, false],
])('asked whether %j has keys of its own, says %j', (value, expected) => {
	expect(isMap(value)).toBe(expected);
});

describe('a list', () => {
	const ofNumbers = listOf(wholeNumber(1));
	const ofText = listOf(text);

	it.each<[string, unknown]>([
		['text separated by commas', '3,14,15'],
		['text separated by commas and space', ' 3, 14 , 15 '],
		['text with a line for each', '3\n14\n15'],
		['text with commas and line breaks', '3,14\n15'],
		['text with commas to spare', ',3,,14, ,15,\n'],
		['an array of numbers', [3, 14, 15]],
		['an array of text', ['3', '14', '15']],
		['an array with blanks', [null, 3, undefined, '', 14, '  ', 15]],
		['JSON text of an array', '[3, 14, 15]'],
		['JSON text with space before it', '\n  ["3", "14", "15"]'],
		['JSON text with blanks', '[3, null, "", 14, " ", 15]'],
	])('is read from %s', (_form, value) => {
		expect(ofNumbers(value, 'Thing')).toEqual([3, 14, 15]);
	});

	it('is read from a number alone', () => {
		expect(ofNumbers(42, 'Thing')).toEqual([42]);
	});

	it('leaves a number alone as it is, so that one that was rounded can be told', () => {
		const seen: unknown[] = [];
		listOf((element) => seen.push(element))(42, 'Thing');
		expect(seen).toEqual([42]);
	});

	it.each([[''], [' '], [[]], ['[]'], [' , \n'], [[null]]])('can be empty, as in %j', (value) => {
		expect(ofNumbers(value, 'Thing')).toEqual([]);
	});

	it('keeps a comma in an element that an array or its JSON text sets apart', () => {
		expect(ofText(['a,b', 'c'], 'Thing')).toEqual(['a,b', 'c']);
		expect(ofText('["a,b", "c"]', 'Thing')).toEqual(['a,b', 'c']);
	});

	it('takes text that is no JSON array as the text that it is', () => {
		expect(ofText('[draft],[old]', 'Thing')).toEqual(['[draft]', '[old]']);
		expect(ofText('a,[b]', 'Thing')).toEqual(['a', '[b]']);
		expect(ofText('null', 'Thing')).toEqual(['null']);
		expect(ofText('1e3', 'Thing')).toEqual(['1e3']);
	});

	it('does not pass over what is not blank', () => {
		expect(ofText([0, false], 'Thing')).toEqual(['0', 'false']);
		expect(refusalOf(ofText, [{}]).reason).toBe('The parameter "Thing" is not text');
		expect(refusalOf(ofText, '[["a"]]').reason).toBe('The parameter "Thing" is not text');
	});

	it('is refused with the name of the parameter when one element is', () => {
		expect(refusalOf(ofNumbers, '3, many')).toEqual(
			refusal('is not a whole number', 'Give a whole number of at least 1 in "Thing".'),
		);
	});

	it('is not read from an object', () => {
		expect(refusalOf(ofText, { a: 1 })).toEqual(
			refusal('is not text', 'Give plain text in "Thing", not an object or a list.'),
		);
	});
});

describe('who can post', () => {
	const read = permission([
		{ name: 'Only Admins', value: 1 },
		{ name: 'Any Member of the Community', value: 10 },
	]);

	it.each<[unknown, number]>([
		[10, 10],
		['1', 1],
		['only admins', 1],
	])('is a documented number, as in %j', (value, expected) => {
		expect(read(value, 'Thing')).toBe(expected);
	});

	it.each([[[3, 'x', 99]], [[]]])('is a list of role ids that passes unchanged, as %j', (roles) => {
		expect(read(roles, 'Thing')).toBe(roles);
	});

	it.each([[2], ['Admins'], [{}]])('is not %j', (value) => {
		expect(refusalOf(read, value)).toEqual(
			refusal(
				'has a value that is not offered',
				'Give one of these in "Thing": 1 (Only Admins), 10 (Any Member of the Community).',
			),
		);
	});
});
