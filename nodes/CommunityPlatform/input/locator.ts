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

/**
 * @param value a parameter's value
 * @returns what the editor showed in the list from which a resource locator was picked; undefined for other values
 */
export function pickedName(value: unknown): string | undefined {
	if (!isLocator(value) || value.mode !== 'list') return undefined;
	return typeof value.cachedResultName === 'string' ? value.cachedResultName : undefined;
}

function isLocator(
	value: unknown,
): value is { value?: unknown; mode?: string; cachedResultName?: unknown } {
	return typeof value === 'object' && value !== null && '__rl' in value;
}
