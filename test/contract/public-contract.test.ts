import fc from 'fast-check';
import type { IDisplayOptions } from 'n8n-workflow';
import { breakingDifferences } from '../../scripts/contract/contract-differences.mts';
import { checkedInContract, contractText } from '../../scripts/contract/contract-file.mts';
import { loadParts } from '../../scripts/contract/parts.mts';
import {
	contractOf,
	type Parameter,
	type PublicContract,
} from '../../scripts/contract/public-contract.mts';
import { parameterLists, removals } from '../support/contract-removals.mts';
import { madeUpContract } from '../support/made-up-contract.mts';

const NODE = 'communityPlatform';

describe('the public contract', () => {
	let now: PublicContract;
	beforeAll(async () => {
		now = contractOf(await loadParts('sources'));
	});

	it('is kept: what saved workflows rest on is still there, or the version of the node was raised', () => {
		expect(breakingDifferences(checkedInContract(), now)).toEqual([]);
	});

	// What is not in the file could be taken away again unnoticed.
	it('is checked in with everything that was added; npm run contract writes it', () => {
		expect(contractText(now)).toBe(contractText(checkedInContract()));
	});

	it('says what each of the nodes has', () => {
		const { nodes, credentials } = checkedInContract();
		expect(Object.keys(nodes)).toEqual([
			NODE,
			'communityPlatformTrigger',
			'communityPlatformPollingTrigger',
		]);
		for (const { parameters, items, versions } of Object.values(nodes)) {
			expect(parameters.length).toBeGreaterThan(0);
			expect(Object.keys(items)).toEqual(versions.map(String));
			for (const { fields, whole = [] } of Object.values(items[1])) {
				expect(Object.keys(fields).length + whole.length).toBeGreaterThan(0);
			}
		}
		expect(Object.keys(credentials)).toEqual(['communityPlatformApi']);
	});

	it('has no texts', () => {
		const text = JSON.stringify(now);
		expect(text).not.toMatch(/"(displayName|placeholder|hint|cachedResultName)":/);
	});
});

const contracts: Array<[string, () => PublicContract]> = [
	['the contract', checkedInContract],
	['a made-up contract', madeUpContract],
];

describe.each(contracts)('of %s', (_name, get) => {
	it('nothing can be removed unnoticed', () => {
		const all = removals(get());
		expect(all.length).toBeGreaterThan(50);
		fc.assert(
			fc.property(fc.constantFrom(...all), ({ path, from }) => {
				const after = get();
				from(after);
				expect({ path, found: breakingDifferences(get(), after) }).not.toEqual({ path, found: [] });
			}),
			{ numRuns: 150 },
		);
	});

	it('everything can be added to, as long as it need not be filled in', () => {
		const [{ versions, isTool }] = Object.values(get().nodes);
		const condition: fc.Arbitrary<IDisplayOptions['show']> = fc.oneof(
			fc.constant<IDisplayOptions['show']>(undefined),
			fc.record({ resource: fc.subarray(['user', 'board'], { minLength: 1 }) }),
			fc.constant({ '@version': versions }),
			...(isTool ? [fc.constant<IDisplayOptions['show']>({ '@tool': [true] })] : []),
		);
		const parameter = fc
			.record({
				type: fc.constantFrom<string[]>('string', 'number', 'boolean', 'json', 'collection'),
				default: fc.constantFrom<unknown[]>('', 0, false, {}),
				show: condition,
			})
			.map(({ show, ...rest }): Parameter => ({
				name: 'new',
				...rest,
				...(show && { displayOptions: { show } }),
			}));
		const place = fc.record({ list: fc.nat(), at: fc.nat() });
		fc.assert(
			fc.property(place, parameter, ({ list, at }, added) => {
				const after = get();
				const lists = parameterLists(after);
				const chosen = lists[list % lists.length];
				chosen.splice(at % (chosen.length + 1), 0, added);
				expect(breakingDifferences(get(), after)).toEqual([]);
			}),
			{ numRuns: 50 },
		);
	});

	it('what only a new version does without is no loss, what only the new version has is one', () => {
		const [name, { parameters }] = Object.entries(get().nodes)[0];
		fc.assert(
			fc.property(fc.nat(parameters.length - 1), (at) => {
				const raised = (version: number) => {
					const after = get();
					after.nodes[name].versions = [1, 2];
					const changed = after.nodes[name].parameters[at];
					changed.displayOptions = {
						show: { ...changed.displayOptions?.show, '@version': [version] },
						...(changed.displayOptions?.hide && { hide: changed.displayOptions.hide }),
					};
					return breakingDifferences(get(), after);
				};
				expect(raised(1)).toEqual([]);
				expect(raised(2)).not.toEqual([]);
			}),
			{ numRuns: 30 },
		);
	});
});
