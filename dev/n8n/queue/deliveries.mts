import type { User } from '../../../sandbox/records.mts';
import type { Sandbox } from '../../../sandbox/server.mts';
import type { Delivery } from '../../../sandbox/webhooks.mts';
import type { Job } from '../../tools/together.mts';

const EVENT = 'member.joined';
// Of ten deliveries seven are new ones; of twenty, three are copies of a new one at the same instant,
// and three repeat one that came some time earlier.
const TWENTIETHS = { distinct: 14, twins: 3, later: 3 };
const REPEATED_AFTER = 40;

/**
 * Plans deliveries of which some arrive twice at the same instant and some come again later.
 *
 * @param members who joined, in turns
 * @param count of deliveries in all, the repeated ones included
 * @returns a job for each that is new, with its simultaneous copy if it has one, and for each that comes again
 */
export function planDeliveries(sandbox: Sandbox, members: User[], count: number): Job[] {
	const { distinct, twins, later } = TWENTIETHS;
	const planned: Array<{ position: number; job: Job }> = [];
	for (let index = 0; index < Math.round((count * distinct) / 20); index++) {
		const member = members[index % members.length];
		const sent = { number: 0 };
		const kind = index % distinct;
		planned.push({ position: index, job: () => deliver(sandbox, member, sent, kind < twins) });
		if (kind >= twins && kind < twins + later) {
			const again = () => sandbox.webhooks.repeat(sent.number);
			planned.push({ position: index + REPEATED_AFTER, job: again });
		}
	}
	return planned.sort((a, b) => a.position - b.position).map(({ job }) => job);
}

async function deliver(
	{ webhooks }: Sandbox,
	member: User,
	sent: { number: number },
	hasTwin: boolean,
): Promise<void> {
	const first = webhooks.announce(EVENT, member);
	sent.number = webhooks.deliveries.at(-1)?.number ?? 0;
	await Promise.all([first, ...(hasTwin ? [webhooks.repeat(sent.number)] : [])]);
}

/** The deliveries that n8n has accepted, each new one with its repeats, by the event's job_id. */
export function acceptedDeliveries({ webhooks }: Sandbox): Map<number, Delivery[]> {
	const accepted = webhooks.deliveries.filter(({ status }) => status === 200);
	const byJob = new Map<number, Delivery[]>();
	for (const delivery of accepted) {
		const { job_id } = delivery.payload;
		byJob.set(job_id, [...(byJob.get(job_id) ?? []), delivery]);
	}
	return byJob;
}

/**
 * Tells the copies of deliveries apart, by the event's job_id: those that were sent before the first one
 * was answered, which two workers can take at the same instant, and those that came later.
 *
 * @param accepted what {@link acceptedDeliveries} gave
 */
export function copiesOf(
	accepted: Map<number, Delivery[]>,
): Record<'together' | 'later', number[]> {
	const copied = [...accepted].filter(([, deliveries]) => deliveries.length > 1);
	const isTogether = ([first, copy]: Delivery[]) => copy.startedAt <= (first.endedAt ?? Infinity);
	const jobs = (of: typeof copied) => of.map(([jobId]) => jobId);
	return {
		together: jobs(copied.filter(([, deliveries]) => isTogether(deliveries))),
		later: jobs(copied.filter(([, deliveries]) => !isTogether(deliveries))),
	};
}

/** A comment as "Greet new members" writes it. */
export interface Greeting {
	/** The execution that wrote it. */
	execution: string;
	/** The event's. */
	jobId: number;
}

/** The greetings that the community holds. */
export function greetings({ community }: Sandbox): Greeting[] {
	return [...community.comments.values()].flatMap(({ content }) => {
		const found = new RegExp(`^(\\d+) ${EVENT}:(\\d+):`).exec(content);
		return found ? [{ execution: found[1], jobId: Number(found[2]) }] : [];
	});
}

/** Counts how often each value occurs. */
export function countEach<T>(values: T[]): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
