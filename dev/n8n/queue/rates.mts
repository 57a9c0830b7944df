import { greetings } from './deliveries.mts';
import { together } from '../../tools/together.mts';
import { until } from '../../tools/wait.mts';
import { perSecond, type Report } from './report.mts';
import type { Stage } from './stage.mts';
import { appliedUpdates, planBatch, sendPart } from './updates.mts';

const TIMEOUT_MS = 180_000;
const INTERVAL_MS = 20;
const DELAY_MS = 20;
const AT_ONCE = 10;
const PART_SIZE = 50;

/**
 * Measures how many updates and deliveries a second get through, from the first request to the last
 * change in the community, whose answers take 20 ms.
 *
 * @param updates how many
 * @param deliveries how many, all of them new
 * @param workers how many there are, for the report
 */
export async function measureRates(
	stage: Stage,
	report: Report,
	{ updates, deliveries, workers }: { updates: number; deliveries: number; workers: string },
): Promise<void> {
	const { sandbox, partsUrl } = stage;
	sandbox.settings.delayMs = DELAY_MS;
	sandbox.requests.clear();
	const parts = planBatch(sandbox.community, updates, PART_SIZE);
	const began = Date.now();
	await together(
		parts.map((part) => () => sendPart(partsUrl, part)),
		AT_ONCE,
	);
	await reached(`${updates} updates`, () => appliedUpdates(sandbox).length >= updates);
	report.figure(`Updates, ${workers}`, perSecond(updates, Date.now() - began));

	await measureDeliveries(stage, report, { deliveries, workers });
}

async function measureDeliveries(
	{ sandbox }: Stage,
	report: Report,
	{ deliveries, workers }: { deliveries: number; workers: string },
): Promise<void> {
	const before = greetings(sandbox).length;
	const members = [...sandbox.community.users.values()];
	const began = Date.now();
	const jobs = Array.from(
		{ length: deliveries },
		(_, index) => () => sandbox.webhooks.announce('member.joined', members[index % members.length]),
	);
	await together(jobs, AT_ONCE);
	report.figure(`Deliveries answered, ${workers}`, perSecond(deliveries, Date.now() - began));
	await reached(`${deliveries} greetings`, () => greetings(sandbox).length - before >= deliveries);
	report.figure(`Deliveries carried out, ${workers}`, perSecond(deliveries, Date.now() - began));
}

async function reached(what: string, isSo: () => boolean): Promise<void> {
	await until(what, async () => isSo(), TIMEOUT_MS, INTERVAL_MS);
}
