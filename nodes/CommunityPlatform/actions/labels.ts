/**
 * @param name in capitals, words joined by underscores, as the API names its codes
 * @returns the same words in Title Case, as n8n labels options
 */
export function capitalCase(name: string): string {
	return name
		.split('_')
		.map((word) => word.charAt(0) + word.slice(1).toLowerCase())
		.join(' ');
}
