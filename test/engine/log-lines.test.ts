import { runNode, type RunOptions } from '../support/engine.mts';
import { Poller } from '../support/poller.mts';
import { TriggerHost } from '../support/trigger-host.mts';
import { asNewcomer, range, useSandbox, withoutBackoff } from '../support/community.mts';
import { logged } from '../support/logs.mts';
import { getUser } from '../support/operations.mts';

const sandbox = useSandbox({ members: 60 });
withoutBackoff();
beforeEach(() => (logged.length = 0));

/** The package's own lines in n8n's log. */
const told = () => logged.filter((line) => line.includes('Community Platform: '));
const about = (workflow: string) => `Community Platform: "Community" in workflow ${workflow}: `;

describe('a line in the log of n8n', () => {
	const items = range(101, 103).map((id) => ({ id }));
	const busyAtFirst = () => sandbox.faults.add({ kind: 'status', status: 503, times: 1 });
	const run = async (options: RunOptions = {}) =>
		await runNode(sandbox, getUser('={{ $json.id }}'), { items, ...asNewcomer(), ...options });

	it('names the node, its workflow and the community', async () => {
		busyAtFirst();
		await run();
		const [line, ...others] = told();
		expect(line).toContain(
			`info ${about('"Workflow" (workflow)')}${sandbox.baseUrl}: 1 request sent again`,
		);
		expect(others).toEqual([]);
	});

	it('stays one line, whatever the API says', async () => {
		const poller = new Poller(sandbox);
		await poller.activate('activate');
		sandbox.faults.add({ kind: 'status', status: 403, message: 'Not now\nforged\u2028line' });
		await poller.restarted().activate('init');
		expect(told()).toEqual([expect.stringMatching(/Not now forged line/)]);
	});

	it('is also written if a poll or an event fails', async () => {
		const poller = new Poller(sandbox);
		busyAtFirst();
		sandbox.faults.add({ kind: 'status', status: 403 });
		await expect(poller.poll()).rejects.toThrow();
		expect(told()).toEqual([expect.stringContaining(': 1 request sent again')]);
		const parameters = { verification: 'none', confirmWithApi: true };
		const host = await new TriggerHost(sandbox, { parameters }).listen();
		logged.length = 0;
		sandbox.faults.clear();
		busyAtFirst();
		sandbox.faults.add({ kind: 'status', status: 403 });
		const body = { event: 'member.joined', job_id: 1, entities: { user: [{ msid: '101.a' }] } };
		await fetch(host.url, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { 'content-type': 'application/json' },
		});
		await host.close();
		expect(told()).toEqual([expect.stringContaining(': 1 request sent again')]);
	});
});
