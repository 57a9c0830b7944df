import { Stopped } from '../../../shared/transport';
import { isRecord } from '../../../shared/transport/answer';
import { Failure, isDeclined, shortened } from '../../../shared/transport/failure';
import type { NamedKind } from '../../../shared/records/named';
import { ME, NAMED } from '../../../shared/records/named';
import { user } from '../../../shared/records/types';
import type { NameReference, Reference } from '../../input/reference';
import type { Caller } from '../caller';
import { pagesOf } from '../pagesOf';
import { notFound, theOnlyId } from './matches';
import { fold, NameIndex } from './nameIndex';
import { Nearest } from './nearest';
import type { RoleNames } from '../roleNames';
import { Slices } from '../slices';

const MOST_OFFERED = 3;

/** Looks up references for one run. Each listing and each member is requested once in a run. */
export class Directory {
	private readonly indexes = new Map<NamedKind, Promise<NameIndex>>();
	private readonly msids = new Map<string, Promise<string>>();
	private readonly slices = new Slices();
	/** Names are looked up one after another, in slices, so that hundreds of them do not block n8n's event loop. */
	private lastLookUp: Promise<unknown> = Promise.resolve();

	constructor(private readonly caller: Caller) {}

	/**
	 * @returns the identifier of the record
	 * @throws Failure when no record or several match, or the API does not show the identifier; Stopped
	 */
	async idOf(reference: Reference): Promise<string> {
		switch (reference.to) {
			case 'name':
				return await this.idNamed(reference, await this.index(reference.kind));
			case 'me':
				return await this.msidAt('me');
			case 'userId':
				return await this.msidAt(reference.userId);
		}
	}

	/** @throws Failure when the roles cannot be listed; Stopped */
	async roleNames(): Promise<RoleNames> {
		const names = new Map<string, string>();
		for (const { id, name } of (await this.index('role')).records) {
			if (id !== undefined && name !== undefined) names.set(id, name);
		}
		return names;
	}

	/** The same; undefined when the roles cannot be listed. */
	async roleNamesIfShown(): Promise<RoleNames | undefined> {
		return await this.roleNames().catch(nothingForFailure);
	}

	private async index(kind: NamedKind): Promise<NameIndex> {
		return await once(this.indexes, kind, async () => {
			const { path, idField, type } = NAMED[kind];
			const index = new NameIndex(kind);
			const expects = { list: type };
			const request = { method: 'GET', repeat: 'safe', path, expects } as const;
			for await (const page of pagesOf(this.caller, request, idField, { limit: Infinity })) {
				for (const record of page) {
					if (this.slices.isOver) await this.slices.next();
					index.add(record);
				}
			}
			return index;
		});
	}

	private async idNamed(reference: NameReference, index: NameIndex): Promise<string> {
		const lookUp = this.lastLookUp.then(async () => {
			if (this.slices.isOver) await this.slices.next();
			if (this.caller.api.stop.isStopped) throw new Stopped();
			const folded = fold(reference.kind, reference.name);
			const found = index.find(folded);
			if (found.length > 0) return theOnlyId(reference, found);
			throw notFound(reference, index.records.length, await this.nearest(folded, index));
		});
		this.lastLookUp = lookUp.catch(() => {});
		return await lookUp;
	}

	private async nearest(folded: string, index: NameIndex): Promise<string[]> {
		const nearest = new Nearest(folded, MOST_OFFERED);
		for (const [name, [record]] of index.names) {
			if (this.slices.isOver) await this.slices.next();
			nearest.offer(name, record.name ?? name);
		}
		return nearest.names;
	}

	private async msidAt(id: string): Promise<string> {
		return await once(this.msids, id, async () => {
			const expects = { record: user, ...(id === ME.value ? {} : { id }) };
			const path = `/users/${id}`;
			const request = { method: 'GET', repeat: 'safe', path, expects } as const;
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

function nothingForFailure(error: unknown): undefined {
	if (!(error instanceof Failure)) throw error;
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
	// The API may know no member by it, or not take it from this caller (docs/api/openapi.yaml, `user.get`).
	if (!(error instanceof Failure && isDeclined(error))) return error;
	return new Failure(
		`No user was found by the user number ${shortened(userId)}`,
		`Check the number, or give the msid: the number and the code behind it, e.g. 42.a1b2c3. The API answered: "${error.message}".`,
		error.details,
	);
}
