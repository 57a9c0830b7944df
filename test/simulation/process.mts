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

type Load = (globals: Globals) => Record<string, new () => INodeType>;

/** What replaces the globals of the same names in the code of the nodes. */
interface Globals {
	require(name: string): unknown;
	setTimeout(run: () => void, ms?: number): unknown;
	clearTimeout(timer: unknown): void;
	performance: { now(): number };
	Date: DateConstructor;
	Math: Math;
	AbortSignal: { timeout(ms: number): AbortSignal };
	AbortController: typeof AbortController;
}

let load: Load | undefined;

/** The process whose code runs on some modules, and what it runs on. */
interface Current {
	owner: object;
	clock: Clock;
	random: Random;
}

/** The modules of the package in one process, and what replaces the globals. */
interface Modules {
	nodes: Nodes;
	current: Current;
	uses: number;
}

// Loading the modules takes longer than most stories. All state of the package has keys with the community's address or
// the workflow's ID, and each story has its own, so modules can serve several stories. A story that fails is told again
// with modules that were just loaded.
const MAX_USES = 50;
const pool: Modules[] = [];

/** One process of n8n: its own modules of the package, on the story's clock. */
export class Process {
	/** Resolves if the process crashes. */
	readonly crashed: Promise<'crashed'>;
	isAlive = true;
	private onCrash = (_: 'crashed') => {};
	private readonly modules: Modules;

	constructor(
		readonly name: string,
		private readonly clock: Clock,
		random: Random,
		isFresh: boolean,
	) {
		this.crashed = new Promise((resolve) => {
			this.onCrash = resolve;
		});
		const current = { owner: this, clock, random };
		const used = isFresh ? undefined : pool.pop();
		this.modules = used ?? loadModules(current);
		Object.assign(this.modules.current, current);
	}

	get nodes(): Nodes {
		return this.modules.nodes;
	}

	/** Ends the process between two of its steps. What it was about to do never happens. */
	crash(): void {
		this.isAlive = false;
		this.clock.drop(this);
		this.onCrash('crashed');
	}

	/** Leaves the modules to another story, if this one has ended well. */
	leave(): void {
		if (this.isAlive && ++this.modules.uses < MAX_USES) pool.push(this.modules);
		this.isAlive = false;
	}
}

function loadModules(first: Current): Modules {
	load ??= loader();
	const current = { ...first };
	const classes = load(globalsFor(current));
	const made = Object.entries(classes).map(([each, Node]) => [each, new Node()]);
	return { nodes: Object.fromEntries(made) as Nodes, current, uses: 0 };
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
	const names =
		'require, setTimeout, clearTimeout, performance, Date, Math, AbortSignal, AbortController';
	const body = `const { ${names} } = globals, module = { exports: {} };\n${outputFiles[0].text}\nreturn module.exports;`;
	return new Function('globals', body) as Load;
}

function globalsFor(current: Current): Globals {
	const sleep = async (ms: number) => await current.clock.sleep(ms, current.owner);
	const random = () => current.random();
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
		setTimeout: (run, ms = 0) => current.clock.schedule(ms, run, current.owner),
		clearTimeout: (timer) => Object.assign(timer ?? {}, { isDropped: true }),
		performance: { now: () => 1_000_000 + current.clock.now },
		Date: dateOf(current),
		Math: Object.create(Math, { random: { value: random } }) as Math,
		AbortController: QuickController,
		AbortSignal: {
			timeout(ms) {
				const controller = new AbortController();
				current.clock.schedule(ms, () => controller.abort(), current.owner, true);
				return controller.signal;
			},
		},
	};
}

// Without a reason, each abort would make an exception with its stack, and there is one for each request.
class QuickController extends AbortController {
	override abort(reason: unknown = null): void {
		super.abort(reason);
	}
}

function uuidOf(random: Random): string {
	const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
	return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function dateOf(current: Current): DateConstructor {
	return new Proxy(Date, {
		construct: (target, args: []) =>
			Reflect.construct(target, args.length > 0 ? args : [current.clock.date]),
		get: (target, name) =>
			name === 'now' ? () => current.clock.date : (Reflect.get(target, name) as unknown),
	});
}
