import { documentText, projectFiles } from './documents.mts';

// In capitals or behind an underscore it is a code of the API, in quotes what users type, or a file.
const WITHOUT_HYPHEN = /(?<![\w"])wait ?list(?!-approval)|(?<![A-Z"])Wait ?[Ll]ist/;

const found = projectFiles()
	.filter((path) => path.endsWith('.md') || /^(nodes|credentials)\/.*\.ts$/.test(path))
	.flatMap((path) =>
		documentText(path)
			.split('\n')
			.flatMap((line, at) =>
				WITHOUT_HYPHEN.test(line) ? `${path}:${at + 1}: ${line.trim()}` : [],
			),
	);
if (found.length > 0) {
	console.error(['The wait-list is spelled with a hyphen:', ...found].join('\n'));
	process.exitCode = 1;
}
