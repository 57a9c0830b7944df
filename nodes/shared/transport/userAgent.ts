import { name, version } from '../../../package.json';

const PRODUCT = `${name}/${version}`;
const NOT_IN_A_HEADER = /[^\x20-\x7e]/g;

/**
 * The User-Agent of every request: which connector, in which version, on whose behalf
 * (docs/api/README.md, "Authentication").
 *
 * @param sourceSystem name of the calling system; characters a header cannot carry are left out
 */
export function userAgent(sourceSystem: string): string {
	return `${PRODUCT} (${sourceSystem.trim().replace(NOT_IN_A_HEADER, '')})`;
}
