import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

/** Where the pictures of the editor are kept, from the folder of the project. */
export const KEPT = 'docs/images';
const FOLDERS = ['.', 'docs', 'examples', 'sandbox', 'n8n'];

/** A picture in one of the project's documents. */
export interface ShownPicture {
	/** The document and the picture, from the folder of the project. */
	document: string;
	path: string;
	/** What stands for the picture where it cannot be seen. */
	alternative: string;
	isThere: boolean;
}

/** The pictures that are kept, from the folder of the project. */
export function keptPictures(): string[] {
	return readdirSync(join(PROJECT_FOLDER, KEPT)).map((name) => `${KEPT}/${name}`);
}

/** All pictures that the project's documents show, in the order of the documents. */
export function shownPictures(): ShownPicture[] {
	return documents().flatMap((path) => picturesIn(join(PROJECT_FOLDER, path)));
}

/** The project's documents, from the folder of the project. */
export function documents(): string[] {
	return FOLDERS.flatMap((folder) =>
		readdirSync(join(PROJECT_FOLDER, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => join(folder, name)),
	);
}

function picturesIn(file: string): ShownPicture[] {
	const text = readFileSync(file, 'utf8');
	return [...text.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alternative, target]) => {
		const picture = join(dirname(file), target);
		return {
			document: relative(PROJECT_FOLDER, file),
			path: relative(PROJECT_FOLDER, picture),
			alternative,
			isThere: existsSync(picture),
		};
	});
}
