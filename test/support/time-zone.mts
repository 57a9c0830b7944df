/**
 * Does something where the machine's clock shows another time zone, as Node.js takes it from the environment.
 *
 * @param zone its IANA name, e.g. "Asia/Kolkata"
 */
export function inTimeZone<T>(zone: string, act: () => T): T {
	const before = process.env.TZ;
	process.env.TZ = zone;
	try {
		return act();
	} finally {
		if (before === undefined) delete process.env.TZ;
		else process.env.TZ = before;
	}
}
