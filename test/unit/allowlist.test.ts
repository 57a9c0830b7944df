import fc from 'fast-check';
import { BlockList, isIP, isIPv4 } from './allowlist-oracle.mts';
import { isInRanges, readAllowlist } from '../../nodes/CommunityPlatformTrigger/allowlist.ts';
import { isLocal } from '../../nodes/CommunityPlatformTrigger/activate.ts';

// Both families, and IPv4 written as IPv6, from a small corner so that ranges and addresses meet.
const ipv4 = fc
	.tuple(
		fc.constantFrom(10, 127, 203),
		fc.constantFrom(0, 1, 128),
		fc.nat({ max: 3 }),
		fc.nat({ max: 255 }),
	)
	.map((parts) => parts.join('.'));
const ipv6 = fc.oneof(
	fc.ipV6(),
	fc
		.tuple(
			fc.constantFrom('2001:db8', 'fe80', '::'),
			fc.constantFrom('0', '1', 'ffff'),
			fc.nat({ max: 9 }),
		)
		.map(([head, middle, tail]) =>
			head === '::' ? `::${middle}:${tail}` : `${head}:${middle}::${tail}`,
		),
);
const mapped = ipv4.map((address) => `::ffff:${address}`);
const anyAddress = fc.oneof(ipv4, ipv6, mapped);
const anyRange = fc.oneof(
	fc.tuple(ipv4, fc.option(fc.nat({ max: 32 }))),
	fc.tuple(ipv6, fc.option(fc.nat({ max: 128 }))),
);

describe('IP allow list', () => {
	it('holds what Node itself finds in it', () => {
		fc.assert(
			fc.property(
				fc.array(anyRange, { minLength: 1, maxLength: 5 }),
				anyAddress,
				(entries, address) => {
					const oracle = new BlockList();
					for (const [base, prefix] of entries) {
						const family = isIPv4(base) ? 'ipv4' : 'ipv6';
						if (prefix === null) oracle.addAddress(base, family);
						else oracle.addSubnet(base, prefix, family);
					}
					const text = entries.map(([base, prefix]) =>
						prefix === null ? base : `${base}/${prefix}`,
					);
					const { ranges, invalid } = readAllowlist(text.join(', '));
					expect(invalid).toEqual([]);
					const expected = oracle.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
					// Node does not look for an IPv4 address in an IPv6 range that includes all mapped ones.
					const isWide = entries.some(
						([base, prefix]) => !isIPv4(base) && prefix !== null && prefix < 96,
					);
					if (isWide && (isIPv4(address) || mappedBy(address))) return;
					expect(isInRanges(address, ranges)).toBe(expected);
				},
			),
			{ numRuns: 5000 },
		);
	});

	it('takes exactly what Node takes for an address', () => {
		const text = fc.oneof(
			anyAddress,
			fc.ipV4Extended(),
			fc
				.array(fc.constantFrom(':', '::', '.', '0', '1', '255', '256', 'f', '00', 'ffff', 'g'), {
					maxLength: 12,
				})
				.map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(text, (entry) => {
				fc.pre(entry !== '');
				expect(readAllowlist(entry).ranges).toHaveLength(isIP(entry) === 0 ? 0 : 1);
			}),
			{ numRuns: 5000 },
		);
	});

	it('contains every address of itself and none beside it', () => {
		const { ranges } = readAllowlist('192.0.2.0/24, 2001:db8::/32');
		for (const address of ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '2001:db8:ffff::1']) {
			expect(isInRanges(address, ranges)).toBe(true);
		}
		for (const address of ['192.0.1.255', '192.0.3.0', '2001:db9::', '::192.0.2.1']) {
			expect(isInRanges(address, ranges)).toBe(false);
		}
	});

	it('reads any separator, and names what it cannot read', () => {
		const { ranges, invalid } = readAllowlist(
			' 10.0.0.1;10.0.0.2\n::1\t10.0.0.0/33, 1.2.3, 01.2.3.4, ::1/129, 1.2.3.4/8/8, host ',
		);
		expect(ranges).toHaveLength(3);
		expect(invalid).toEqual(['10.0.0.0/33', '1.2.3', '01.2.3.4', '::1/129', '1.2.3.4/8/8', 'host']);
		expect(readAllowlist(['10.0.0.1', '::1']).ranges).toHaveLength(2);
		expect(readAllowlist(undefined)).toEqual({ ranges: [], invalid: [] });
	});

	it.each(['33', '-8', '+8', '0x8', '1e1', '8x', 'x8', '0008', ''])(
		'does not take "%s" for the length of a prefix',
		(length) => {
			const entry = `10.0.0.0/${length}`;
			expect(readAllowlist(entry)).toEqual({ ranges: [], invalid: [entry] });
		},
	);

	it.each([
		['a byte above 255', '192.0.2.256'],
		['such a byte at the end of an IPv6 address', '::ffff:192.0.2.256'],
		['zeros left out where none are missing', '1:2:3:4:5:6:7::8'],
		['zeros left out in two places', '1:2:3:4::5:6:7:8::'],
	])('refuses %s: %s', (_what, entry) => {
		expect(readAllowlist(entry)).toEqual({ ranges: [], invalid: [entry] });
	});

	it('finds nothing for what is no address, and looks past a zone', () => {
		const { ranges } = readAllowlist('0.0.0.0/0 ::/0');
		for (const text of [undefined, '', 'localhost', '1.2.3.4.5', ':::', '1::2::3']) {
			expect(isInRanges(text, ranges)).toBe(false);
		}
		expect(isInRanges('fe80::1%eth0', readAllowlist('fe80::/10').ranges)).toBe(true);
	});
});

describe('addresses a community cannot reach', () => {
	it.each([
		'http://localhost:5678/webhook/x',
		'http://127.0.0.1:5678',
		'http://[::1]:5678',
		'https://10.1.2.3',
		'https://192.168.0.5',
		'https://172.31.0.1',
		'http://n8n:5678',
		'http://n8n.local',
		'http://[fd00::1]',
	])('%s', (url) => expect(isLocal(url)).toBe(true));

	it.each(['https://n8n.example.com', 'https://203.0.113.7', 'https://[2001:db8::1]', 'nonsense'])(
		'but %s',
		(url) => expect(isLocal(url)).toBe(false),
	);
});

function mappedBy(address: string): boolean {
	return isInRanges(address, readAllowlist('0.0.0.0/0').ranges);
}
