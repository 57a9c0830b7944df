import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/exchange/answer';
import { Failure, isDeclined } from '../../shared/failures/failure';
import type { NamedKind } from '../../shared/records/named';
import { ME, NAMED } from '../../shared/records/named';
import { user } from '../../shared/records/types';
import type { Reference } from '../operation/reference';
import type { Caller } from './item';
import { pagesOf } from './listing';
import { nearest } from './nearest';

/** The names of roles by their identifiers, written as text. */
export type RoleNames = ReadonlyMap<string, string>;

const MOST_OFFERED = 3;
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Looks up, for one run, what parameters refer to. Each listing and each member is asked for once, and
 * forgotten with the run.
 */
export class Directory {
	private readonly listings = new Map<NamedKind, Promise<IDataObject[]>>();
	private readonly msids = new Map<string, Promise<string>>();

	constructor(private readonly caller: Caller) {}

	/**
	 * @returns the identifier of what is referred to
	 * @throws Failure when nothing or more than one thing is meant, or the API does not tell; Stopped
	 */
	async idOf(reference: Reference): Promise<string> {
		switch (reference.to) {
			case 'name':
				return idNamed(reference, await this.listed(reference.kind));
			case 'me':
				return await this.msidAt('me');
			case 'userId':
				return await this.msidAt(reference.userId);
		}
	}

	/** @throws Failure when the roles cannot be listed; Stopped */
	async roleNames(): Promise<RoleNames> {
		const { idField, nameFields } = NAMED.role;
		const roles = await this.listed('role');
		return new Map(roles.map((role) => [String(role[idField]), String(role[nameFields[0]])]));
	}

	private async listed(kind: NamedKind): Promise<IDataObject[]> {
		return await once(this.listings, kind, async () => {
			const { path, idField, type } = NAMED[kind];
			const records: IDataObject[] = [];
			const request = { method: 'GET', path, expects: { list: type } } as const;
			for await (const page of pagesOf(this.caller, request, idField, { limit: Infinity })) {
				for (const record of page) records.push(record);
			}
			return records;
		});
	}

	private async msidAt(id: string): Promise<string> {
		return await once(this.msids, id, async () => {
			const expects = { record: user, ...(id === ME.value ? {} : { id }) };
			const request = { method: 'GET', path: `/users/${id}`, expects } as const;
			const { body } = await this.caller.send(request).catch((error: unknown) => {
				throw id === ME.value ? error : unlessNotLookedUp(id, error);
			});
			if (isRecord(body) && typeof body.msid === 'string') return body.msid;
			throw new Failure(
				'The API did not show the msid of a user',
				'Choose the user from the list, or give the msid.',
			);
		});
	}
}

async function once<Key, Value>(
	known: Map<Key, Promise<Value>>,
	key: Key,
	find: () => Promise<Value>,
): Promise<Value> {
	const finding = known.get(key) ?? find();
	known.set(key, finding);
	return await finding;
}

function unlessNotLookedUp(userId: string, error: unknown): unknown {
	// The API may know nobody by it, or not take it from this caller (specification, "Get user details").
	if (!(error instanceof Failure && isDeclined(error))) return error;
	return new Failure(
		`${userId} is a user_id; drag the field msid`,
		`A user is named by the msid. The API was asked for the one with this user_id and answered: "${error.message}".`,
		error.details,
	);
}

function idNamed(
	{ kind, name, label }: Reference & { to: 'name' },
	records: IDataObject[],
): string {
	const { idField, nameFields } = NAMED[kind];
	const wanted = folded(kind, name);
	const found = records.filter((record) =>
		nameFields.some((field) => folded(kind, record[field]) === wanted),
	);
	if (found.length === 1) return String(found[0][idField]);
	if (found.length > 1) {
		const ids = found.map((record) => String(record[idField])).join(', ');
		throw new Failure(
			`${found.length} ${kind}s are named '${name}'`,
			`Choose one of them from the list in "${label}", or By ID: ${ids}.`,
		);
	}
	const names = records.map((record) => String(record[nameFields[0]]));
	const offered = nearest(name, names, MOST_OFFERED).map((each) => `'${each}'`);
	throw new Failure(`No ${kind} is named '${name}'`, adviceFor(name, kind, label, offered));
}

function adviceFor(name: string, kind: NamedKind, label: string, offered: string[]): string {
	if (offered.length === 0) {
		return `The community shows no ${kind}s to the owner of this API key.`;
	}
	if (/^\d+$/.test(name)) return `If ${name} is the ID of a ${kind}, choose By ID in "${label}".`;
	return `Check the name in "${label}". Did you mean ${ALTERNATIVES.format(offered)}?`;
}

// People write hashtags with and without the sign.
function folded(kind: NamedKind, name: unknown): string {
	// Tables have no-break spaces and doubled ones, which nobody sees.
	const text = String(name).trim().replace(/\s+/g, ' ').normalize().toLowerCase();
	return kind === 'tag' ? text.replace(/^#/, '') : text;
}
