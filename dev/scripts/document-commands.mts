import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../n8n/paths.mts';

const { scripts, devDependencies } = createRequire(import.meta.url)('../../package.json') as {
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
};

/** What npm does by itself; anything else is a script of the project. */
const OF_NPM = ['audit', 'ci', 'install', 'outdated', 'pack', 'publish'];
/** What a reader's machine has. */
const OF_THE_SYSTEM = ['npm', 'npx', 'git', 'cd', 'mkdir', 'rm', 'docker'];
/** Settings that stand before a command, or alone. */
const SETTINGS = /^(export )?([A-Z_][A-Z0-9_]*=('[^']*'|"[^"]*"|\S*)( |$))+/;
const CODE = /```(\w*)\n([\s\S]*?)```|`([^`]+)`/g;

/**
 * The commands in a document, one by one: lines of its blocks for a shell, and inline code that runs npm, npx
 * or a file of the project's `.ci`.
 *
 * @param text Markdown
 */
export function commandsIn(text: string): string[] {
	return [...text.matchAll(CODE)].flatMap(([, language, block, inline]) => {
		const lines = inline === undefined ? block.split('\n') : [inline.replace(/\s+/g, ' ')];
		const commands = lines
			.flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/&&|;/))
			.map((command) => command.trim())
			.filter((command) => command !== '');
		if (language === 'sh') return commands;
		return inline === undefined
			? []
			: commands.filter((each) => /^((npm|npx) \S|\.ci\/\S+)/.test(each));
	});
}

/**
 * Why a command of a document cannot be run, if so.
 *
 * @param files all files of the project, from its folder
 */
export function deadCommand(command: string, files: string[]): string | undefined {
	const words = command.replace(SETTINGS, '').split(' ');
	const [program, ...rest] = words.filter((word) => !/^(-s|--silent)$/.test(word));
	if (program === '') return undefined;
	if (program === 'npx') return deadProgram(command, rest, files);
	if (program === 'npm') return deadScript(command, rest, files);
	if (OF_THE_SYSTEM.includes(program) || existsSync(join(PROJECT_FOLDER, program)))
		return undefined;
	return `${command}: there is no ${program}`;
}

function deadScript(command: string, [verb, ...rest]: string[], files: string[]) {
	if (OF_NPM.includes(verb)) return undefined;
	const [name, ...words] = verb === 'run' ? rest : [verb, ...rest];
	if (!(name in scripts)) return `${command}: package.json has no script "${name}"`;
	return deadPath(command, words, files);
}

function deadProgram(command: string, [program, ...words]: string[], files: string[]) {
	if (!(program in devDependencies)) return `${command}: ${program} is not installed`;
	return deadPath(command, words, files);
}

// Jest takes a part of a path, too.
function deadPath(command: string, words: string[], files: string[]): string | undefined {
	const paths = words.filter((word) => /\/|\.m?[jt]s$/.test(word) && !word.includes('://'));
	const missing = paths.find((path) => !files.some((file) => file.includes(path)));
	return missing && `${command}: there is no ${missing}`;
}
