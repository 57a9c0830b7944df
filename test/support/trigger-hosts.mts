import axios from 'axios';
import type { Sandbox } from '../../sandbox/server.mts';
import { withoutBackoff } from './community.mts';
import { TriggerHost, type HostOptions } from './trigger-host.mts';
import { Rows } from './trigger-row.mts';

/** The header that carries the secret of the hosts' credential. */
export const RIGHT = { 'x-webhook-secret': 'right' };

/** A member in an event. */
export function member(id: number) {
	return { user_id: id, sid: 'a', msid: `${id}.a`, first_name: 'Ada' };
}

/** The body of an event about the member with the same number. */
export function joined(job: number, event = 'member.joined') {
	return { event, job_id: job, entities: { user: [member(job)] } };
}

/** The hosts to which the tests of a file send deliveries. */
export interface Hosts {
	/** Starts a host that is closed after the test. */
	listening: (options?: HostOptions) => Promise<TriggerHost>;
	/** The stand-in for n8n's database, which is emptied after each test. */
	rows: Rows;
}

/** Sets up a test file of the trigger, without random waits. Call it outside of its tests. */
export function useHosts(sandbox: Sandbox): Hosts {
	// The pauses around n8n's record are random, too.
	withoutBackoff();
	const rows = new Rows();
	const hosts: TriggerHost[] = [];
	beforeAll(async () => await rows.install());
	afterEach(async () => {
		await Promise.all(hosts.splice(0).map(async (host) => await host.close()));
		rows.clear();
	});
	return {
		rows,
		async listening(options = {}) {
			const host = await new TriggerHost(sandbox, options).listen();
			hosts.push(host);
			return host;
		},
	};
}

/** Sends a body unchanged, and waits for the executions that it started. */
export async function deliver(
	host: TriggerHost,
	body: unknown,
	headers: Record<string, string> = RIGHT,
	query = '',
): Promise<{ status: number; data: { message: string } }> {
	const answer = await axios.post(host.url + query, body, {
		headers: { 'content-type': 'application/json', ...headers },
		proxy: false,
		validateStatus: () => true,
		transformRequest: (data) => (typeof data === 'string' ? data : JSON.stringify(data)),
	});
	await host.settled();
	return answer;
}
