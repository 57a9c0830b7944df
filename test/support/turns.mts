/** Runs something; tells how long it took, and the longest time for which nothing else of the process got a turn. */
export async function longestTurn<Result>(run: () => Promise<Result>) {
	let isRunning = true;
	let longestMs = 0;
	let last = performance.now();
	const start = last;
	const look = () => {
		longestMs = Math.max(longestMs, performance.now() - last);
		last = performance.now();
		if (isRunning) setImmediate(look);
	};
	setImmediate(look);
	const result = await run();
	isRunning = false;
	look();
	return { result, longestMs, totalMs: last - start };
}
