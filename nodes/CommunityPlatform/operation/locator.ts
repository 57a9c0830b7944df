/**
 * @param value a parameter's value
 * @returns what a resource locator points at; other values as they are
 */
export function locatorValue(value: unknown): unknown {
	return isLocator(value) ? value.value : value;
}

/**
 * @param value a parameter's value
 * @returns the mode in which a resource locator was given; undefined for other values
 */
export function locatorMode(value: unknown): string | undefined {
	return isLocator(value) ? value.mode : undefined;
}

function isLocator(value: unknown): value is { value?: unknown; mode?: string } {
	return typeof value === 'object' && value !== null && '__rl' in value;
}
