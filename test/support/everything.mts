/**
 * Everything that can be read out of a value, as one text: what JSON shows of it, and whatever else
 * hangs on it, such as properties of an error that are not enumerable, its stack and its causes.
 *
 * @param value anything, cycles included
 */
export function everythingIn(value: unknown): string {
	const texts: string[] = [];
	const seen = new WeakSet<object>();
	const waiting: unknown[] = [value];
	while (waiting.length > 0) {
		const next = waiting.pop();
		if (typeof next === 'function' || typeof next === 'symbol') continue;
		if (typeof next !== 'object' || next === null) {
			texts.push(String(next));
			continue;
		}
		if (seen.has(next)) continue;
		seen.add(next);
		texts.push(asJson(next));
		if (next instanceof Map) waiting.push(...next.keys(), ...next.values());
		if (next instanceof Set) waiting.push(...next);
		if (Buffer.isBuffer(next)) texts.push(next.toString());
		for (const key of Reflect.ownKeys(next)) {
			texts.push(String(key));
			waiting.push(Reflect.get(next, key));
		}
	}
	return texts.join('\n');
}

function asJson(value: object): string {
	if (!('toJSON' in value)) return '';
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		// A cycle: its parts are read one by one.
		return '';
	}
}
