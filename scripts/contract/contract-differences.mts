import { isDeepStrictEqual } from 'node:util';
import type { Circumstance } from './circumstances.mts';
import { type Findings, parameterDifferences } from './parameter-differences.mts';
import type { Items, NodeContract, PublicContract } from './public-contract.mts';

/**
 * What of a public contract does not hold any more, in a sentence each. Additions are no difference.
 *
 * A raised version excuses nothing by itself. A saved node keeps the version that it was saved with, and n8n goes
 * on asking the new description what that version shows. So what was promised is checked for each version that
 * was there, as that version sees it: what is only shown to a new version (`@version`) is free, and a version
 * that is not offered any more is the worst of differences.
 *
 * @param before the contract that workflows were saved under
 * @param after the contract as it is now
 * @returns nothing when all those workflows go on working
 */
export function breakingDifferences(before: PublicContract, after: PublicContract): string[] {
	const renamed =
		before.package === after.package
			? []
			: [`The package was ${before.package} and is ${after.package}`];
	const ofNodes = Object.entries(before.nodes).flatMap(([name, node]) =>
		name in after.nodes
			? nodeDifferences(node, after.nodes[name]).map((each) => `${name}: ${each}`)
			: [`${name} is gone`],
	);
	const ofCredentials = Object.entries(before.credentials).flatMap(([name, parameters]) =>
		name in after.credentials
			? told(parameterDifferences(parameters, after.credentials[name], [{}])).map(
					(each) => `${name}: ${each}`,
				)
			: [`${name} is gone`],
	);
	return [...renamed, ...ofNodes, ...ofCredentials];
}

function nodeDifferences(before: NodeContract, after: NodeContract): string[] {
	const kept = before.versions.filter((version) => after.versions.includes(version));
	const dropped = before.versions.filter((version) => !kept.includes(version));
	const tools = before.isTool ? [false, true] : [false];
	const known: Circumstance[] = kept.flatMap((version) =>
		tools.map((isTool) => ({ '@version': version, '@tool': isTool })),
	);
	return [
		...dropped.map((version) => `version ${version} is gone`),
		...(before.kind === after.kind ? [] : [`its kind was ${before.kind} and is ${after.kind}`]),
		...(before.isTool && !after.isTool ? ['is no tool any more'] : []),
		...connectionDifferences('inputs', before.inputs, after.inputs),
		...connectionDifferences('outputs', before.outputs, after.outputs),
		...credentialDifferences(before.credentials, after.credentials),
		...changed('webhook', before.webhooks, after.webhooks),
		...changed('answer', before.answers, after.answers),
		...before.pickers
			.filter((picker) => !after.pickers.includes(picker))
			.map((picker) => `the list ${picker} is gone`),
		...told(parameterDifferences(before.parameters, after.parameters, known)),
		...kept.flatMap((version) =>
			itemDifferences(before.items[version] ?? {}, after.items[version] ?? {}),
		),
	];
}

// They are numbered: whatever stands behind those there were is new.
function connectionDifferences(what: string, before: string[], after: string[]): string[] {
	return isDeepStrictEqual(before, after.slice(0, before.length))
		? []
		: [`the ${what} were ${before.join(', ')} and are ${after.join(', ')}`];
}

function credentialDifferences(
	before: Record<string, boolean>,
	after: Record<string, boolean>,
): string[] {
	return [
		...Object.keys(before)
			.filter((name) => !(name in after))
			.map((name) => `the credential ${name} is gone`),
		...Object.keys(after)
			.filter((name) => after[name] && !before[name])
			.map((name) => `the credential ${name} has to be given now`),
	];
}

function changed(
	what: string,
	before: Record<string, unknown>,
	after: Record<string, unknown>,
): string[] {
	return Object.entries(before)
		.filter(([name, value]) => !isDeepStrictEqual(value, after[name]))
		.map(([name, value]) =>
			name in after
				? `the ${what} "${name}" was ${JSON.stringify(value)} and is ${JSON.stringify(after[name])}`
				: `the ${what} "${name}" is gone`,
		);
}

function itemDifferences(before: Record<string, Items>, after: Record<string, Items>): string[] {
	return Object.entries(before).flatMap(([subject, { fields, whole = [] }]) => {
		const now = after[subject] as Items | undefined;
		if (now === undefined) return [`the items of ${subject} are gone`];
		return [
			...Object.entries(fields).flatMap(([field, type]) =>
				fieldDifferences(`the field ${field} of ${subject}`, type, now.fields[field]),
			),
			...whole
				.filter((field) => !now.whole?.includes(field))
				.map((field) => `the field ${field} of ${subject}, not simplified, is gone`),
		];
	});
}

// A workflow that can read what it got can read less of it: only a type that is new is none of its business.
function fieldDifferences(field: string, type: string, now: string | undefined): string[] {
	if (now === undefined) return [`${field} is gone`];
	const could = type.split('|');
	const isNew = now.split('|').some((each) => !could.includes(each));
	return isNew ? [`${field} was ${type} and is ${now}`] : [];
}

function told(findings: Findings): string[] {
	return [...findings].map(([what, circumstances]) => {
		const [first, ...others] = new Set(circumstances.map(inWords));
		if (first === '') return what;
		return `${what} (${first}${others.length > 0 ? `; and ${others.length} more` : ''})`;
	});
}

function inWords(circumstance: Circumstance): string {
	return Object.entries(circumstance)
		.filter(([name, value]) => value !== undefined && !(name === '@tool' && value === false))
		.map(([name, value]) => `${name.replace('/', '')} ${String(value)}`)
		.join(', ');
}
