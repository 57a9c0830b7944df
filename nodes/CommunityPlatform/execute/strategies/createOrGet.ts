import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/failure';
import { userDetailWithEmail } from '../../../shared/records/types';
import { createOnce, wasLost } from '../creates';
import type { Item, Strategy } from '../item';
import { personIn, planOfUnread, preview } from '../plan';
import { recordShaper, shapeAnswer } from '../shape';

// The statuses with which an API refuses what exists already.
const MAY_EXIST = [400, 409, 422];

/**
 * Create or Get: creates a member; where the API refuses that, gives the one who has the email address. `created` says
 * what happened. The create comes first, because most are new, and looking for an address takes many requests.
 */
export const createOrGet: Strategy = {
	async send(item) {
		if (item.isDryRun) return [await planned(item)];
		const lock = item.lockCreates();
		await item.waitFor(lock);
		const lost = wasLost(item) ? await find(item).catch(ignoreNobody) : undefined;
		if (lost !== undefined) {
			item.hasChanged = true;
			return [{ ...(await existing(item, lost)), created: true }];
		}
		const answer = await createOnce(item).catch((error: unknown) => {
			const { httpCode = 0 } = error instanceof Failure ? error.details : {};
			if (MAY_EXIST.includes(httpCode)) return error as Failure;
			throw error;
		});
		if (!(answer instanceof Failure)) return [{ ...shapeAnswer(answer, item), created: true }];
		// Unless this may stop the run, the other creates come first: then one search looks for all who were refused.
		if (item.run.isContinuing) {
			lock.release();
			const turn = item.lockCreates();
			await item.waitFor(turn);
			turn.release();
		}
		const msid = await find(item).catch((error: unknown) => {
			if (!(error instanceof Failure)) throw error;
			throw answer.with({ advice: `${answer.advice} ${error.message}.` });
		});
		return [{ ...(await existing(item, msid)), created: false }];
	},
};

async function planned(item: Item): Promise<IDataObject> {
	const msid = await find(item).catch(ignoreNobody);
	if (msid === undefined) return preview(item, planOfUnread(item));
	const identifiers = { msid, ...personIn(await read(item, msid)) };
	return preview(item, { action: 'none', identifiers, changes: {}, notShown: [] });
}

async function find({ directory, input: { values, labels } }: Item): Promise<string> {
	return await directory.members.msidNamed('email', String(values.email), labels.email);
}

function ignoreNobody(error: unknown): undefined {
	if (!(error instanceof Failure && error.details.isNobody)) throw error;
}

async function existing(item: Item, msid: string): Promise<IDataObject> {
	return recordShaper(item, userDetailWithEmail)(await read(item, msid));
}

async function read(item: Item, msid: string): Promise<IDataObject> {
	const expects = { record: userDetailWithEmail, id: msid };
	return await item.read(expects, { path: `/users/${encodeURIComponent(msid)}` });
}
