import fc from 'fast-check';
import { Workflow, type INodeParameters } from 'n8n-workflow';
import { BASE_URL_EXPRESSION, normalizeBaseUrl } from '../../nodes/shared/transport/baseUrl.ts';
import { userAgent } from '../../nodes/shared/transport/client.ts';
import { node, nodeTypes } from '../support/engine.mts';

const workflow = new Workflow({
	active: false,
	connections: {},
	nodes: [],
	nodeTypes: nodeTypes({}),
});

/** n8n's value of an expression in the credential. */
function resolved(expression: string, $credentials: INodeParameters): unknown {
	return workflow.expression.getSimpleParameterValue(
		...([node('Temp', 'temp', {}), expression, 'internal', { $credentials }] as const),
	);
}

/** The address, or undefined if there is none. */
function normalized(typed: string): string | undefined {
	try {
		return normalizeBaseUrl(typed);
	} catch {
		return undefined;
	}
}

const spaces = fc.string({
	unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\ufeff', '\u200b', '\u00ad'),
});
const spelling = fc
	.tuple(
		spaces,
		fc.constantFrom('', 'https://', 'http:/', 'HTTPS://', 'Http:///', 'https//', '//', 'ftp://'),
		fc.oneof(fc.webAuthority({ withPort: true }), fc.constantFrom('localhost', '127.0.0.1:5678')),
		fc.array(fc.constantFrom('club', 'Api', 'api', 'v1', 'v2', 'a.b', '%20'), { maxLength: 3 }),
		fc.constantFrom('', '/', '//', '/api/v1', '/api/v1/', '/API/v1//', '/api/v1/users', '/api'),
		fc.constantFrom('', '?', '?a=1', '#top', '?a=/api/v1#b', '?a#/'),
		spaces,
	)
	.map(([before, scheme, authority, segments, end, rest, after]) => {
		const path = segments.map((segment) => `/${segment}`).join('');
		return `${before}${scheme}${authority}${path}${end}${rest}${after}`;
	});

describe('the base URL', () => {
	it('is the same in the credential test and in all requests', () => {
		let usable = 0;
		fc.assert(
			fc.property(fc.oneof(spelling, fc.string({ unit: 'grapheme' })), (baseUrl) => {
				const address = normalized(baseUrl);
				if (address === undefined) return;
				usable++;
				expect(resolved(BASE_URL_EXPRESSION, { baseUrl })).toBe(address);
			}),
			{ numRuns: 240 },
		);
		expect(usable).toBeGreaterThan(20);
	});

	it.each([
		...['ftp://example.com', 'https://me:secret@example.com', 'https://example.com?secret\n/x'],
		...['https://example.com#a\r\nb', 'https://exam\nple.com', 'https://example.com/a b?\n'],
	])('%j is refused without being repeated', (typed) => {
		expect(() => normalizeBaseUrl(typed)).toThrow(
			expect.objectContaining({ advice: expect.not.stringContaining('secret') }),
		);
	});
});

it('has a User-Agent that is a valid header for any source system', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (sourceSystem) => {
			expect(userAgent(sourceSystem)).toMatch(
				/^n8n-nodes-community-platform\/\d+\.\d+\.\d+\S* \([\x20-\x7e]*\)$/,
			);
		}),
	);
});
