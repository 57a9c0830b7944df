/**
 * All readable data of a value, as one text. Beyond JSON, it contains properties that are not enumerable, such as an
 * error's stack and causes.
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
		// For a cycle, its parts are read one by one.
		return '';
	}
}
