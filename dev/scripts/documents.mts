import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

/** Where the pictures of the editor are kept, from the folder of the project. */
export const KEPT = 'docs/images';
// What is installed, built or left over; of the hidden folders, one is there for readers.
const NOT_OURS = /^(\.(?!github$).*|node_modules|dist|coverage)$/;

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
	return projectFiles().filter((path) => path.endsWith('.md'));
}

/** All files of the project, from its folder. */
export function projectFiles(folder = ''): string[] {
	return readdirSync(join(PROJECT_FOLDER, folder), { withFileTypes: true })
		.filter(({ name }) => !NOT_OURS.test(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			return entry.isDirectory() ? projectFiles(path) : [path];
		});
}

/** The text of a document. */
export function documentText(path: string): string {
	return readFileSync(join(PROJECT_FOLDER, path), 'utf8');
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
