import * as crypto from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import * as workflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';
import pack from '../../package.json' with { type: 'json' };
import type { Clock, Random } from './clock.mts';

/** The three nodes of the package, by the names of their classes. */
export interface Nodes {
	CommunityPlatform: INodeType;
	CommunityPlatformTrigger: INodeType;
	CommunityPlatformPollingTrigger: INodeType;
}

type Load = (given: Given) => Record<string, new () => INodeType>;

/** What replaces the globals of the same names in the code of the nodes. */
interface Given {
	require(name: string): unknown;
	setTimeout(run: () => void, ms?: number): unknown;
	clearTimeout(timer: unknown): void;
	performance: { now(): number };
	Date: DateConstructor;
	Math: Math;
	AbortSignal: { timeout(ms: number): AbortSignal };
}

let load: Load | undefined;

/** One process of n8n: the modules of the package loaded afresh, on the story's clock. */
export class Process {
	readonly nodes: Nodes;
	/** Resolves if the process crashes. */
	readonly crashed: Promise<'crashed'>;
	isAlive = true;
	private onCrash = (_: 'crashed') => {};

	constructor(
		readonly name: string,
		private readonly clock: Clock,
		random: Random,
	) {
		this.crashed = new Promise((resolve) => {
			this.onCrash = resolve;
		});
		load ??= loader();
		const classes = load(givenTo(this, clock, random));
		const made = Object.entries(classes).map(([each, Node]) => [each, new Node()]);
		this.nodes = Object.fromEntries(made) as Nodes;
	}

	/** Ends the process between two of its steps. What it was about to do never happens. */
	crash(): void {
		this.isAlive = false;
		this.clock.drop(this);
		this.onCrash('crashed');
	}
}

// Bundled once, because the nodes of a process share modules such as the limiter. Only package.json names the files, so
// that folders inside `nodes/` can move.
function loader(): Load {
	const root = fileURLToPath(new URL('../..', import.meta.url));
	const files = pack.n8n.nodes.map((file) => file.replace('dist/', './').replace(/js$/, 'ts'));
	const { outputFiles } = buildSync({
		stdin: {
			contents: files.map((file) => `export * from '${file}';`).join('\n'),
			resolveDir: root,
		},
		bundle: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		external: ['n8n-workflow'],
		logLevel: 'silent',
	});
	const names = 'require, setTimeout, clearTimeout, performance, Date, Math, AbortSignal';
	const body = `const { ${names} } = given, module = { exports: {} };\n${outputFiles[0].text}\nreturn module.exports;`;
	return new Function('given', body) as Load;
}

function givenTo(owner: Process, clock: Clock, random: Random): Given {
	const sleep = async (ms: number) => await clock.sleep(ms, owner);
	const modules: Record<string, unknown> = {
		'n8n-workflow': Object.create(workflow, { sleep: { value: sleep } }),
		crypto: Object.create(crypto, { randomUUID: { value: () => uuidOf(random) } }),
	};
	return {
		require(name) {
			const found = modules[name.replace('node:', '')];
			if (found) return found;
			throw new Error(`The simulation has no module ${name}`);
		},
		setTimeout: (run, ms = 0) => clock.schedule(ms, run, owner),
		clearTimeout: (timer) => Object.assign(timer ?? {}, { isDropped: true }),
		performance: { now: () => 1_000_000 + clock.now },
		Date: dateOf(clock),
		Math: Object.create(Math, { random: { value: random } }) as Math,
		AbortSignal: {
			timeout(ms) {
				const controller = new AbortController();
				clock.schedule(ms, () => controller.abort(), owner, true);
				return controller.signal;
			},
		},
	};
}

function uuidOf(random: Random): string {
	const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function dateOf(clock: Clock): DateConstructor {
	return new Proxy(Date, {
		construct: (target, args: []) =>
			Reflect.construct(target, args.length > 0 ? args : [clock.date]),
		get: (target, name) =>
			name === 'now' ? () => clock.date : (Reflect.get(target, name) as unknown),
	});
}
