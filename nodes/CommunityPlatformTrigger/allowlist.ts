// Everything is compared as 128 bits: an IPv4 address as the IPv6 address that maps it (RFC 4291,
// section 2.5.5.2), as a server that listens on both families sees it.
const ADDRESS_BITS = 128;
const IPV4_BITS = 32;
const MAPPED_IPV4 = BigInt(0xffff) << BigInt(IPV4_BITS);

/** The addresses that one entry of an allow list stands for. */
export interface AddressRange {
	/** The first address, as 128 bits. */
	first: bigint;
	/** How many leading bits all of its addresses share. */
	prefix: number;
}

/**
 * Reads a list of IP addresses and CIDR ranges.
 *
 * @param typed entries separated by commas, white space or line breaks; IPv4 and IPv6
 * @returns the ranges, and the entries that are none
 */
export function readAllowlist(typed: unknown): { ranges: AddressRange[]; invalid: string[] } {
	const text = Array.isArray(typed) ? typed.join(',') : String(typed ?? '');
	const ranges: AddressRange[] = [];
	const invalid: string[] = [];
	for (const entry of text.split(/[\s,;]/).filter((part) => part !== '')) {
		const range = readRange(entry);
		if (range) ranges.push(range);
		else invalid.push(entry);
	}
	return { ranges, invalid };
}

/**
 * Whether one of the ranges contains an address.
 *
 * @param address IPv4 or IPv6 as Node reports it, also with a zone (`%eth0`); anything else is in no range
 */
export function isInRanges(address: string | undefined, ranges: readonly AddressRange[]): boolean {
	const value = readAddress((address ?? '').replace(/%.*/, ''));
	if (value === undefined) return false;
	return ranges.some(({ first, prefix }) => network(value, prefix) === network(first, prefix));
}

function readRange(entry: string): AddressRange | undefined {
	const [address, length, ...rest] = entry.split('/');
	const first = readAddress(address);
	if (first === undefined || rest.length > 0) return undefined;
	const bits = address.includes(':') ? ADDRESS_BITS : IPV4_BITS;
	if (length === undefined) return { first, prefix: ADDRESS_BITS };
	if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined;
	return { first, prefix: Number(length) + ADDRESS_BITS - bits };
}

function network(address: bigint, prefix: number): bigint {
	return address >> BigInt(ADDRESS_BITS - prefix);
}

function readAddress(text: string): bigint | undefined {
	if (!text.includes(':')) {
		const ipv4 = readIpv4(text);
		return ipv4 === undefined ? undefined : MAPPED_IPV4 | BigInt(ipv4);
	}
	return readIpv6(text);
}

function readIpv4(text: string): number | undefined {
	const parts = text.split('.');
	if (parts.length !== 4) return undefined;
	// Leading zeros are refused, because some programs read them as octal.
	const isByte = (part: string) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
	return parts.every(isByte)
		? parts.reduce((value, part) => value * 256 + Number(part), 0)
		: undefined;
}

function readIpv6(text: string): bigint | undefined {
	// The last 32 bits may be written as an IPv4 address (RFC 4291, section 2.2).
	const tail = text.slice(text.lastIndexOf(':') + 1);
	if (tail.includes('.')) {
		const ipv4 = readIpv4(tail);
		if (ipv4 === undefined) return undefined;
		const groups = [ipv4 >>> 16, ipv4 & 0xffff].map((group) => group.toString(16));
		return readIpv6(text.slice(0, -tail.length) + groups.join(':'));
	}
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head, rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
	const missing = 8 - head.length - rest.length;
	// "::" stands for at least one group of zeros.
	if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
	const groups = [...head, ...Array<string>(missing).fill('0'), ...rest];
	if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
}
