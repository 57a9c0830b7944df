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
	/** Deliveries to be refused: milliseconds after the start for each, and the secret that they carry, if any. */
	forged: { at: number[]; secret?: string };
	/** Deliveries with the right secret, the same way. */
	valid: number[];
}

const ANSWER_TIMEOUT_MS = 180_000;
const REST_MS = 3_000;
const KB_PER_MB = 1024;

const PEERS: Peer[] = ['Community Platform Trigger', 'Webhook, secret'];
const EVERY_5_MS = Array.from({ length: 2_000 }, (_, index) => index * 5);
const EVERY_SECOND = Array.from({ length: 10 }, (_, index) => 500 + index * 1_000);
const FLOODS: Flood[] = [
	{
		name: '2,000 with a wrong secret in 10 s, 10 valid ones among them',
		forged: { at: EVERY_5_MS, secret: 'wrong' },
		valid: EVERY_SECOND,
	},
	{
		name: '2,000 without a secret in 10 s, 10 valid ones among them',
		forged: { at: EVERY_5_MS },
		valid: EVERY_SECOND,
	},
	{ name: '1,000 valid ones at once', forged: { at: [] }, valid: Array<number>(1_000).fill(0) },
];

const { values } = parseArgs({
	options: {
		only: { type: 'string', default: '' },
		peer: { type: 'string', default: '' },
		setting: { type: 'string', multiple: true, default: [] },
	},
});
const settings = Object.fromEntries(values.setting.map((each) => each.split('=', 2)));

/**
 * Floods the webhook trigger, and n8n's own Webhook node beside it, each in a fresh n8n, and prints how
 * deliveries were answered and what memory n8n took. `--only wrong` and `--peer Webhook` choose some by a
 * part of their names, `--setting N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true` gives n8n a setting. Takes some
 * ten minutes, on Linux.
 */
const folder = await temporaryFolder('community-platform-flood');
try {
	const tarball = await prepareReceivers(folder.path);
	for (const flood of FLOODS.filter(({ name }) => name.includes(values.only))) {
		console.log(`\n${flood.name}`);
		for (const peer of PEERS.filter((name) => name.includes(values.peer))) {
			const receivers = await startReceivers(tarball, [peer], settings);
			try {
				const found = await measure(receivers, receivers.urls[peer], flood);
				console.log(`  ${peer.padEnd(28)} ${found}`);
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
	{ forged, valid }: Flood,
): Promise<string> {
	await pause(REST_MS);
	const { pid } = instance.process;
	const before = await memoryOf(pid, 'VmRSS');
	await forgetPeak(pid);
	const began = performance.now();
	let last = 0;
	const send = async (at: number, id: number, secret?: string) => {
		await pause(at);
		const answer = await answerTo(url, id, secret);
		last = performance.now() - began;
		return answer;
	};
	const [refused, accepted] = await Promise.all([
		Promise.all(forged.at.map(async (at, index) => await send(at, 10_000 + index, forged.secret))),
		Promise.all(valid.map(async (at, index) => await send(at, index, webhookSecret))),
	]);
	const peak = await memoryOf(pid, 'VmHWM');
	return [
		...(refused.length > 0 ? [`forged: ${counted(refused)}`] : []),
		`valid: ${counted(accepted)}`,
		`lost: ${accepted.filter((answer) => answer !== '200').length}`,
		`last answer after ${(last / 1000).toFixed(0)} s`,
		`memory ${Math.round(before / KB_PER_MB)} MB before, ${Math.round(peak / KB_PER_MB)} MB at most`,
	].join('; ');
}

// A connection each, as from senders that know nothing of each other.
async function answerTo(url: string, id: number, secret?: string): Promise<string> {
	const headers = { connection: 'close', ...(secret !== undefined && { [HEADER]: secret }) };
	const sending = axios.post<{ message?: string } | undefined>(url, joined(id), {
		headers,
		timeout: ANSWER_TIMEOUT_MS,
		proxy: false,
		validateStatus: () => true,
	});
	return await sending.then(
		// n8n answers 503 by itself, too: the text tells which of the two it was.
		({ status, data }) => (status >= 500 ? `${status} “${data?.message}”` : String(status)),
		({ code }: { code?: string }) => code ?? 'no answer',
	);
}

function counted(answers: string[]): string {
	const counts = new Map<string, number>();
	for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
	return [...counts].map(([answer, count]) => `${count} x ${answer}`).join(', ');
}

/** Memory of a process in kB, as the kernel counts it (proc(5)): now (VmRSS), or at most so far (VmHWM). */
async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
}

async function forgetPeak(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, '5');
}
