import axios from 'axios';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import { together } from '../tools/together.mts';
import { until } from '../tools/wait.mts';
import type { Case } from './measure.mts';
import { ALL_PEERS, HEADER, joined, prepareReceivers, startReceivers } from './receivers.mts';

const AT_ONCE = 10;
const IDLE_TIMEOUT_MS = 120_000;

/** A real n8n, and how to send deliveries to it. */
export interface DeliveryScene {
	/** Waits until every execution has ended, so that none takes time from the next peer. */
	prepare: () => Promise<void>;
	/** Sends different deliveries, several at once; gives how many were answered 200. */
	deliver: (peer: string, count: number) => Promise<number>;
	close: () => Promise<void>;
}

/**
 * The case of deliveries, each of which starts an execution of its trigger alone.
 *
 * @param count of deliveries, all of them new
 */
export function deliveries(count: number): Case<DeliveryScene> {
	const work = (peer: string) => async (scene: DeliveryScene) => await scene.deliver(peer, count);
	return {
		name: `Answer ${count} deliveries`,
		isElsewhere: true,
		peers: Object.fromEntries(ALL_PEERS.map((peer) => [peer, work(peer)])),
	};
}

/** Starts n8n with all peers. */
export async function startDeliveries(): Promise<DeliveryScene> {
	const folder = await temporaryFolder('community-platform-package');
	const { client, urls, webhookSecret, close } = await startReceivers(
		await prepareReceivers(folder.path),
	);
	let sent = 0;
	return {
		async prepare() {
			const isIdle = async () =>
				(await client.executions({ status: ['new', 'running'] })).length === 0;
			await until('all executions to end', isIdle, IDLE_TIMEOUT_MS);
		},
		async deliver(peer, count) {
			let accepted = 0;
			const one = async () => {
				const { status } = await axios.post(urls[peer], joined(++sent), {
					headers: { [HEADER]: webhookSecret },
					proxy: false,
				});
				if (status === 200) accepted++;
			};
			await together(Array<typeof one>(count).fill(one), AT_ONCE);
			return accepted;
		},
		async close() {
			await close();
			await folder.remove();
		},
	};
}
