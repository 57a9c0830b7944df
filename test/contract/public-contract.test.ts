import { checkedInContract, contractText } from '../../dev/scripts/contract/contract-file.mts';
import { described, differencesOf } from '../../dev/scripts/contract/differences.mts';
import { loadParts } from '../../dev/scripts/contract/parts.mts';
import { type Contract, contractOf } from '../../dev/scripts/contract/public-contract.mts';

const NODE = 'communityPlatform';

describe('the public contract', () => {
	let now: Contract;
	beforeAll(async () => {
		now = contractOf(await loadParts('sources'));
	});

	it('is checked in as it is; npm run contract writes what is new', () => {
		expect(described(differencesOf(checkedInContract(), now))).toEqual([]);
		expect(contractText(now)).toBe(contractText(checkedInContract()));
	});

	it('says what each of the nodes has', () => {
		const nodes = checkedInContract().nodes as Record<string, Contract>;
		expect(Object.keys(nodes)).toEqual([
			NODE,
			'communityPlatformTrigger',
			'communityPlatformPollingTrigger',
		]);
		for (const { parameters, items } of Object.values(nodes)) {
			expect(parameters).not.toEqual({});
			expect(Object.keys(items as Contract)).toEqual(['1']);
		}
		expect(nodes[NODE].parameters).toHaveProperty(['user.getAll', 'filters', 'options', 'status']);
		expect(nodes[NODE].items).toHaveProperty([1, 'user.get', 'fields', 'msid']);
		expect((nodes.communityPlatformTrigger.deliveries as string[]).length).toBeGreaterThan(5);
	});

	it('has no texts', () => {
		const text = JSON.stringify(now);
		expect(text).not.toMatch(/"(displayName|placeholder|hint|cachedResultName)":/);
	});
});
