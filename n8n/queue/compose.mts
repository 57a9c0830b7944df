import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { N8N_FOLDER, PROJECT_FOLDER } from '../paths.mts';
import { run } from '../processes.mts';
import type { Report } from './report.mts';

/** The file that users start queue mode with, from the project's folder. */
export const COMPOSE_FILE = 'examples/queue-mode/compose.yaml';

// n8n names its variables in decorators of its configuration classes, and reads a few directly.
const NAME = /(?:Env\)\(|process\.env[.[]\s*)['"]?([A-Z][A-Z0-9_]+)/;

interface ComposeFile {
	services: Record<string, { build?: unknown; environment?: Record<string, string> }>;
}

/** Checks that every setting which the compose file makes for n8n is one that the pinned n8n reads. */
export async function checkComposeFile(report: Report): Promise<void> {
	const text = await readFile(join(PROJECT_FOLDER, COMPOSE_FILE), 'utf8');
	const { services } = parse(text, { merge: true }) as ComposeFile;
	const set = Object.values(services)
		.filter(({ build }) => build !== undefined)
		.flatMap(({ environment = {} }) => Object.keys(environment));
	const names = [...new Set(set)];
	const known = await variablesOfN8n();
	const unknown = names.filter((name) => !known.has(name));
	report.check(
		`Every setting for n8n in ${COMPOSE_FILE} is one that n8n reads`,
		names.length > 0 && unknown.length === 0,
		unknown.length > 0 ? `not read: ${unknown.join(', ')}` : `${names.length} settings`,
	);
}

async function variablesOfN8n(): Promise<Set<string>> {
	const packages = ['@n8n/config', '@n8n/backend-common', 'n8n-core', 'n8n'];
	const folders = packages.map((name) => join(N8N_FOLDER, 'node_modules', name, 'dist'));
	const pattern = String.raw`(Env\)\(|process\.env[.[])['"]?[A-Z][A-Z0-9_]+`;
	const found = await run(['grep', '-rhoE', '--include=*.js', pattern, ...folders]);
	return new Set(found.split('\n').flatMap((line) => NAME.exec(line)?.[1] ?? []));
}
