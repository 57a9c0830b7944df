import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { N8N_FOLDER, PROJECT_FOLDER } from '../paths.mts';
import { run } from '../../tools/processes.mts';
import type { Report } from './report.mts';

/** The file that users start queue mode with, from the project's folder. */
const COMPOSE_FILE = 'examples/queue-mode/compose.yaml';

// n8n names its variables in decorators of its configuration classes, and reads a few directly.
const PATTERN = String.raw`(Env\(|Env\)\(|process\.env[.[])['"]?[A-Z][A-Z0-9_]+`;
const PACKAGES = ['@n8n/config', '@n8n/backend-common', 'n8n-core', 'n8n'];

/** A service as far as it is looked at here. */
export interface ComposeService {
	build?: { dockerfile_inline: string };
	image?: string;
	command?: string | string[];
	environment?: Record<string, string>;
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: { test: string[] };
	/** With its unit, e.g. `310s`. */
	stop_grace_period?: string;
}

/** The whole compose file. */
export interface ComposeFile {
	services: Record<string, ComposeService>;
}

/** Reads the compose file, its anchors resolved. */
export async function readComposeFile(): Promise<ComposeFile> {
	const text = await readFile(join(PROJECT_FOLDER, COMPOSE_FILE), 'utf8');
	return parse(text, { merge: true }) as ComposeFile;
}

/** Checks that every setting which the compose file makes for n8n is one that the pinned n8n reads. */
export async function checkComposeFile(report: Report): Promise<void> {
	const { services } = await readComposeFile();
	const ours = Object.values(services).filter(({ build }) => build !== undefined);
	const names = [...new Set(ours.flatMap(({ environment = {} }) => Object.keys(environment)))];
	const known = await variablesOfN8n();
	const unknown = names.filter((name) => !known.has(name));
	report.check(
		`Every setting for n8n in ${COMPOSE_FILE} is one that n8n reads`,
		names.length > 0 && unknown.length === 0,
		unknown.length > 0 ? `not read: ${unknown.join(', ')}` : `${names.length} settings`,
	);
}

async function variablesOfN8n(): Promise<Set<string>> {
	const folders = PACKAGES.map((name) => join(N8N_FOLDER, 'node_modules', name, 'dist'));
	const lines = await run(['grep', '-rhoE', '--include=*.js', PATTERN, ...folders]);
	return new Set(lines.match(/[A-Z][A-Z0-9_]{2,}/g) ?? []);
}
