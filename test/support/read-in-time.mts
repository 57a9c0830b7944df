import { Script, createContext } from 'node:vm';

const LIMIT_MS = 5_000;

/** Whether a function processes a text in time. V8 terminates one that takes quadratic time. */
export function isReadInTime(read: (text: string) => unknown, text: string): boolean {
	try {
		new Script('read(text)').runInContext(createContext({ read, text }), { timeout: LIMIT_MS });
		return true;
	} catch {
		return false;
	}
}
