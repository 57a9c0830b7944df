import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { unpackPackage } from '../../../dev/n8n/pack.mts';
import { PACKAGE_NAME } from '../../../dev/n8n/paths.mts';
import { run } from '../../../dev/tools/processes.mts';
import { temporaryFolder } from '../../../dev/tools/temporary-folder.mts';
import { packed } from './n8n.mts';

/** What `npm publish` sends, as far as it is used here. */
interface Publication {
	versions: Record<string, object>;
	_attachments: Record<string, { data: string }>;
}

/** An npm registry with only this package, which `npm publish` can add versions to. */
export interface Registry {
	/** Settings for an n8n that installs from it, and for npm. */
	env: Record<string, string>;
	/** Publishes the packed package with this version number, as the latest. */
	publish: (version: string) => Promise<void>;
	close: () => void;
}

/**
 * Starts a registry on 127.0.0.1. n8n uses a private registry only with a license. So this one is a proxy that answers
 * every HTTPS request itself. It also keeps n8n and its npm from reaching other hosts.
 */
export async function startRegistry(): Promise<Registry> {
	const folder = await temporaryFolder('community-platform-registry');
	const published = new Map<string, Buffer>();
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'registry' }]);
	const registry = createTlsServer({ key, cert }, (request, response) => {
		const { method, url = '', headers } = request;
		const [, name, version] = url.split('/');
		if (method === 'PUT' && name === PACKAGE_NAME) {
			void json(request).then((body) => {
				const { versions, _attachments: files } = body as Publication;
				const [file] = Object.values(files);
				published.set(Object.keys(versions)[0], Buffer.from(file.data, 'base64'));
				response.writeHead(201).end('{}');
			});
			return;
		}
		if (name === 'tarballs') return void response.end(published.get(version));
		const manifests = [...published.keys()].map((each) => {
			const dist = { tarball: `https://${headers.host}/tarballs/${each}` };
			return { name: PACKAGE_NAME, version: each, dist };
		});
		const versions = Object.fromEntries(manifests.map((each) => [each.version, each]));
		const latest = manifests.at(-1)?.version;
		const found = version ? versions[version] : { name, versions, 'dist-tags': { latest } };
		if (name !== PACKAGE_NAME || !found) return void response.writeHead(404).end('{}');
		response.end(JSON.stringify(found));
	});
	const proxy = createServer().on('connect', (_request, socket) => {
		socket.write('HTTP/1.1 200 OK\r\n\r\n');
		registry.emit('connection', socket);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			// The certificate matches none of the requested hosts.
			NODE_TLS_REJECT_UNAUTHORIZED: '0',
			npm_config_strict_ssl: 'false',
			// Settings for all accounts of this machine could name another proxy or registry.
			npm_config_globalconfig: devNull,
		},
		async publish(version) {
			const parent = join(folder.path, version);
			await unpackPackage(packed(), join(parent, 'package'));
			for (const path of ['package.json', 'dist/package.json']) {
				const file = join(parent, 'package', path);
				const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
				await writeFile(file, JSON.stringify({ ...manifest, version }));
			}
			await run(['tar', '-czf', `${parent}.tgz`, '-C', parent, 'package']);
			published.set(version, await readFile(`${parent}.tgz`));
		},
		close: () => void proxy.close(),
	};
}
