import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import axios from 'axios';
import { temporaryFolder } from '../tools/temporary-folder.mts';
import type { Peer, Receivers } from './receivers.mts';
import { HEADER, joined, prepareReceivers, startReceivers } from './receivers.mts';

/** What is sent, and when. */
interface Flood {
	name: string;
	/** Milliseconds after the start, for each delivery with a wrong secret and each with the right one. */
	wrong: number[];
	valid: number[];
}

const ANSWER_TIMEOUT_MS = 180_000;
const REST_MS = 3_000;
const MB = 1024;

const PEERS: Peer[] = ['Community Platform Trigger', 'Webhook, secret'];
const FLOODS: Flood[] = [
	{
		name: '2,000 with a wrong secret in 10 s, 10 valid ones among them',
		wrong: Array.from({ length: 2_000 }, (_, index) => index * 5),
		valid: Array.from({ length: 10 }, (_, index) => 500 + index * 1_000),
	},
	{ name: '1,000 valid ones at once', wrong: [], valid: Array<number>(1_000).fill(0) },
];

const { values } = parseArgs({
	options: {
		only: { type: 'string', default: '' },
		peer: { type: 'string', default: '' },
		none: { type: 'boolean', default: false },
		setting: { type: 'string', multiple: true, default: [] },
	},
});
const settings = Object.fromEntries(values.setting.map((each) => each.split('=', 2)));

/**
 * Floods the webhook trigger, and n8n's own Webhook node beside it, each in a fresh n8n, and prints how
 * deliveries were answered and what memory that took. `--only 2,000` and `--peer Webhook` choose some.
 */
const folder = await temporaryFolder('community-platform-flood');
try {
	const tarball = await prepareReceivers(folder.path);
	for (const flood of FLOODS.filter(({ name }) => name.includes(values.only))) {
		console.log(`\n${flood.name}`);
		for (const peer of PEERS.filter((name) => name.includes(values.peer))) {
			const receivers = await startReceivers(tarball, [peer], settings);
			try {
				console.log(
					`  ${peer.padEnd(28)} ${await measure(receivers, receivers.urls[peer], flood)}`,
				);
			} finally {
				await receivers.close();
			}
		}
	}
} finally {
	await folder.remove();
}

async function measure(
	{ instance, webhookSecret }: Receivers,
	url: string,
	{ wrong, valid }: Flood,
): Promise<string> {
	await pause(REST_MS);
	const { pid } = instance.process;
	const before = await memoryOf(pid, 'VmRSS');
	await forgetPeak(pid);
	const began = performance.now();
	let last = 0;
	const send = async (after: number, id: number, secret: string | undefined) => {
		await pause(after);
		const status = await statusOf(url, id, secret);
		last = Math.max(last, performance.now() - began);
		return status;
	};
	const [refused, accepted] = await Promise.all([
		Promise.all(
			wrong.map(
				async (after, index) =>
					await send(after, 10_000 + index, values.none ? undefined : 'wrong'),
			),
		),
		Promise.all(valid.map(async (after, index) => await send(after, index, webhookSecret))),
	]);
	const peak = await memoryOf(pid, 'VmHWM');
	return [
		...(refused.length > 0 ? [`wrong: ${counted(refused)}`] : []),
		`valid: ${counted(accepted)}`,
		`lost: ${accepted.filter((status) => status !== '200').length}`,
		`last answer after ${(last / 1000).toFixed(0)} s`,
		`memory ${Math.round(before / MB)} MB before, ${Math.round(peak / MB)} MB at most`,
	].join('; ');
}

// A connection each, as from senders that know nothing of each other.
async function statusOf(url: string, id: number, secret: string | undefined): Promise<string> {
	const sending = axios.post(url, joined(id), {
		headers: { ...(secret !== undefined && { [HEADER]: secret }), connection: 'close' },
		timeout: ANSWER_TIMEOUT_MS,
		proxy: false,
		validateStatus: () => true,
	});
	return await sending.then(
		({ status }) => String(status),
		({ code }: { code?: string }) => code ?? 'no answer',
	);
}

function counted(statuses: string[]): string {
	const counts = new Map<string, number>();
	for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
	return [...counts].map(([status, count]) => `${count} x ${status}`).join(', ');
}

/** Memory of a process in kB, as the kernel counts it (proc(5)): now (VmRSS), or at most so far (VmHWM). */
async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
}

async function forgetPeak(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
}
