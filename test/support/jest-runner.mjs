import { createRunner } from 'jest-light-runner';
import Tinypool from 'tinypool';

const PROCESSES = { runtime: 'child_process' };

/**
 * Runs test files in plain Node processes. jest-light-runner 0.7, the last one for Node 20, answers all of its new
 * processes when the first one requests the configuration, so a process that requests it later waits forever. Here,
 * each request gets its own answer.
 */
export default class Runner extends createRunner(PROCESSES) {
	_runTest(test) {
		const { _globalConfig: globalConfig, _testRunners: runners } = this;
		const { config: projectConfig } = test.context;
		if (this._runtime === PROCESSES.runtime && !runners.has(projectConfig)) {
			runners.set(projectConfig, processesFor({ globalConfig, projectConfig, ...PROCESSES }));
		}
		return super._runTest(test);
	}
}

function processesFor(workerData) {
	const { maxWorkers } = workerData.globalConfig;
	const pool = new Tinypool({
		...PROCESSES,
		filename: new URL('worker-runner.js', import.meta.resolve('jest-light-runner')).href,
		minThreads: maxWorkers,
		maxThreads: maxWorkers,
		env: process.env,
		trackUnmanagedFds: false,
	});
	return { pool, run: ({ path }) => pool.run(path, { channel: answering(workerData) }) };
}

// A process requests it once, with its first file.
function answering(workerData) {
	let answer;
	return {
		onMessage: (send) => (answer = send),
		postMessage(message) {
			if (message !== 'jest-light-runner-get-worker-data') return;
			answer({ type: 'jest-light-runner-worker-data', workerData });
		},
	};
}
