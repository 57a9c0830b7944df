const UNRELEASED = '## Unreleased';
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/**
 * Makes what is not released yet the changes of a version (Keep a Changelog 1.1).
 *
 * @param changelog the text of CHANGELOG.md
 * @param date as `YYYY-MM-DD`
 * @returns the text with an empty *Unreleased* above the new version
 * @throws if nothing is unreleased, or the version has its section already
 */
export function released(changelog: string, version: string, date: string): string {
	if (changesOf(changelog, version) !== undefined) {
		throw new Error(`CHANGELOG.md has a section for ${version} already`);
	}
	if (!changesOf(changelog, 'Unreleased')?.includes('\n- ')) {
		throw new Error('CHANGELOG.md has nothing under "Unreleased"');
	}
	return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} - ${date}`);
}

/**
 * Finds the changes of a version.
 *
 * @param version or `Unreleased`
 * @returns what stands below its heading, or undefined if there is none
 */
export function changesOf(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^## /m).slice(1);
	const isIt = (section: string) => section.split(/\s/, 1)[0] === version;
	return sections.find(isIt)?.replace(/^.*/, '');
}

/** @returns a line for each heading that Keep a Changelog does not know, or that a version has twice */
export function wrongHeadings(changelog: string): string[] {
	return changelog.split(/^## /m).flatMap((section, index) => {
		const [title] = section.split('\n');
		const kinds = [...section.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind);
		const wrong = kinds.filter((kind, at) => !KINDS.includes(kind) || kinds.indexOf(kind) < at);
		const isTitle = /^(Unreleased|\d+\.\d+\.\d+\S* - \d{4}-\d\d-\d\d)$/.test(title);
		return [
			...(index === 0 || isTitle ? [] : [`"${title}" is no heading of a version`]),
			...wrong.map((kind) => `"${kind}" in ${title}`),
		];
	});
}
