import fc from 'fast-check';
import { BlockList, isIP, isIPv4 } from './allowlist-oracle.mts';
import { isInRanges, readRange } from '../../nodes/CommunityPlatformTrigger/allowlist.ts';

// Both families, and IPv4 written as IPv6, from a small range, so that ranges and addresses overlap.
const ipv4 = fc
	.tuple(fc.constantFrom(10, 203), fc.constantFrom(0, 128), fc.nat({ max: 3 }), fc.nat(255))
	.map((parts) => parts.join('.'));
const ipv6 = fc.oneof(
	fc.ipV6(),
	fc
		.tuple(fc.constantFrom('2001:db8', 'fe80'), fc.constantFrom('0', 'ffff'), fc.nat({ max: 9 }))
		.map(([head, middle, tail]) => `${head}:${middle}::${tail}`),
);
const anyAddress = fc.oneof(
	ipv4,
	ipv6,
	ipv4.map((address) => `::ffff:${address}`),
);
// Node does not search an IPv4 address in an IPv6 range that includes all mapped ones.
const anyRange = fc.oneof(
	fc.tuple(ipv4, fc.nat(32)),
	fc.tuple(ipv6, fc.integer({ min: 96, max: 128 })),
);

const toRange = (entry: string) => readRange(entry) ?? [];

describe('IP Allowlist', () => {
	it('matches the same addresses as Node does', () => {
		const property = fc.property(
			fc.array(anyRange, { minLength: 1, maxLength: 5 }),
			anyAddress,
			(entries, address) => {
				const oracle = new BlockList();
				for (const [base, prefix] of entries) {
					oracle.addSubnet(base, prefix, isIPv4(base) ? 'ipv4' : 'ipv6');
				}
				const ranges = entries.map((entry) => entry.join('/'));
				expect(ranges.map(readRange)).not.toContain(undefined);
				const expected = oracle.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
				expect(isInRanges(address, ranges.flatMap(toRange))).toBe(expected);
			},
		);
		fc.assert(property, { numRuns: 3000 });
	});

	it('accepts exactly the addresses that Node accepts', () => {
		const parts = fc.constantFrom(':', '::', '.', '0', '1', '255', '256', 'f', '00', 'ffff', 'g');
		const text = fc.oneof(
			anyAddress,
			fc.ipV4Extended(),
			fc.array(parts, { minLength: 1, maxLength: 12 }).map((each) => each.join('')),
		);
		const property = fc.property(text, (entry) => {
			expect(readRange(entry) !== undefined).toBe(isIP(entry) !== 0);
		});
		fc.assert(property, { numRuns: 5000 });
	});

	it('matches IPv6 ranges wider than the IPv4 addresses that are mapped into them', () => {
		const ranges = ['192.0.2.0/24', '2001:db8::/32'];
		for (const address of ['192.0.2.255', '::ffff:192.0.2.7', '2001:db8:ffff::1']) {
			expect(isInRanges(address, ranges.flatMap(toRange))).toBe(true);
		}
		for (const address of ['192.0.3.0', '2001:db9::', '::192.0.2.1']) {
			expect(isInRanges(address, ranges.flatMap(toRange))).toBe(false);
		}
		expect(isInRanges('fe80::1%eth0', ['fe80::/10'].flatMap(toRange))).toBe(true);
		expect(isInRanges(undefined, ['0.0.0.0/0', '::/0'].flatMap(toRange))).toBe(false);
	});

	it.each(['10.0.0.0/33', '01.2.3.4', '::1/129', '1.2.3.4/8/8', '1.2.3.4/', '1.2.3.4/-8', 'host'])(
		'refuses %s as an entry',
		(entry) => expect(readRange(entry)).toBeUndefined(),
	);
});
