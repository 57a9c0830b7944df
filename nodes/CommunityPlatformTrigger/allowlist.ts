import type { IHookFunctions } from 'n8n-workflow';
import { readListOption } from '../shared/triggerParameters';

/** The addresses whose bits, all but the last `hostBits`, are those of `network`. */
interface AddressRange {
	network: bigint;
	hostBits: bigint;
}

// An address with a port, as some proxies write it into X-Forwarded-For: 203.0.113.7:443, or [2001:db8::7]:443.
const WITH_PORT = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/;

/** Reads the option 'IP Allowlist', which is empty unless it was added. Throws a Failure if it has an invalid entry. */
export function allowlistOf(
	functions: Pick<IHookFunctions, 'getNodeParameter' | 'getNode'>,
): AddressRange[] {
	const option = { name: 'ipAllowlist', displayName: 'IP Allowlist' };
	const form = 'single addresses like 203.0.113.7 or ranges like 203.0.113.0/24';
	return readListOption(functions, 'options', option, readRange, form);
}

/** Whether one of the ranges contains an IPv4 or IPv6 address, also with a port, or with a zone (`%eth0`). */
export function isInRanges(address: string | undefined, ranges: AddressRange[]): boolean {
	const bare = (address ?? '').replace(WITH_PORT, '$1$2').replace(/%.*/, '');
	const value = readAddress(bare);
	if (value === undefined) return false;
	return ranges.some(({ network, hostBits }) => value >> hostBits === network);
}

/** Reads an IP address or CIDR range. Undefined for anything else. */
export function readRange(entry: string): AddressRange | undefined {
	const [address, length] = entry.split(/\/(.*)/s);
	const first = readAddress(address);
	const bits = address.includes(':') ? 128 : 32;
	const prefix = length ?? String(bits);
	if (first === undefined || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
	const hostBits = BigInt(bits - Number(prefix));
	return { network: first >> hostBits, hostBits };
}

// Maps an IPv4 address to IPv6 (RFC 4291, section 2.5.5.2), as servers do that listen on both families.
function readAddress(text: string): bigint | undefined {
	const isIpv4 = /^(?!.*\b0\d)\d{1,3}(\.\d{1,3}){3}$/.test(text);
	if (!isIpv4 && !/^(?=[\da-f.]*:)[\da-f:.]+$/i.test(text)) return undefined;
	try {
		const { hostname } = new URL(`http://[${isIpv4 ? `::ffff:${text}` : text}]`);
		// Normalized by now: lower case, an IPv4 address at the end as two groups, one "::" at most (RFC 5952).
		const halves = hostname.slice(1, -1).split('::');
		const [head, tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
		const zeros = Array<string>(8 - head.length - tail.length).fill('0');
		const groups = [...head, ...zeros, ...tail];
		return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`);
	} catch {
		return undefined;
	}
}
