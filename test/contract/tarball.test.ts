import { expectedContents, wrongContents } from '../../dev/scripts/tarball-contents.mts';
import { threats, threatsInCode, threatsInManifest } from '../../dev/scripts/tarball-threats.mts';
import { madeUpPackage } from '../support/made-up-package.mts';
import { files, text } from '../support/shipped.mts';

describe('What a tarball must consist of', () => {
	const expected = expectedContents();

	it('is read off the sources', () => {
		expect(expected).toEqual(
			expect.arrayContaining([
				'LICENSE',
				'README.md',
				'package.json',
				'dist/package.json',
				'dist/icons/community-platform.svg',
				'dist/icons/community-platform.dark.svg',
				'dist/credentials/CommunityPlatformApi.credentials.js',
				'dist/nodes/CommunityPlatform/CommunityPlatform.node.js',
				'dist/nodes/CommunityPlatform/CommunityPlatform.node.json',
				'dist/nodes/CommunityPlatform/__schema__/v1.0.0/board/create.json',
				'dist/nodes/CommunityPlatformTrigger/__schema__/v1.0.0.json',
			]),
		);
		expect(expected.length).toBeGreaterThan(files.length);
	});

	it.each([
		['nothing', [], [], []],
		['an icon is missing', ['dist/icons/community-platform.svg'], [], ['is missing']],
		['a picture was copied along', [], ['dist/docs/images/editor.png'], ['is not expected']],
		['a source was packed', [], ['nodes/shared/transport/call.ts'], ['is not expected']],
	])('tells when %s', (_what, without, besides, findings) => {
		const present = [...expected.filter((file) => !without.includes(file as never)), ...besides];
		const made = madeUpPackage(Object.fromEntries(present.map((file) => [file, ''])));
		try {
			const named = [...without, ...besides];
			expect(wrongContents(made.folder)).toEqual(findings.map((what) => `${named[0]} ${what}`));
		} finally {
			made.remove();
		}
	});
});

describe('What harm needs is found', () => {
	it.each([
		["const fs_1 = require('fs');", 'loads something else'],
		['require("child_process").exec("id")', 'loads something else'],
		['const name = "f" + "s"; require(name)', 'loads something else'],
		['await import("node:fs")', 'loads something at run time'],
		['eval(text)', 'runs text as code'],
		['new Function("return 1")()', 'runs text as code'],
		['process.env.HOME', 'reaches for the machine'],
		["globalThis['pro' + 'cess']", 'reaches for the machine'],
		['await fetch(url)', 'has a way of its own to the network'],
		[`const blob = "${'QUJD'.repeat(40)}";`, 'holds something encoded'],
		['"\\x68\\x74\\x74\\x70\\x3a\\x2f\\x2f\\x65"', 'holds something encoded'],
		['const p\u0430ypal = 1;', 'holds letters that look like others'],
		['const user = "ad\u200bmin";', 'holds invisible characters'],
		[`f(${'1,'.repeat(1000)});`, 'has a line of more than 1,500 characters'],
		['post("https://collector.invalid-host.net/x")', 'names collector.invalid-host.net'],
	])('%s', (code, finding) => {
		expect(threatsInCode(code)).toEqual([expect.stringContaining(finding)]);
	});

	it.each([
		[{ scripts: { postinstall: 'node x.js' } }, 'runs postinstall where it is installed'],
		[{ scripts: { prepare: 'node x.js' } }, 'runs prepare where it is installed'],
		[{ dependencies: { leftpad: '*' } }, 'has dependencies'],
		[{ overrides: {} }, 'has overrides'],
	])('%j', (manifest, finding) => {
		expect(threatsInManifest(JSON.stringify(manifest))).toEqual([finding]);
	});

	it('by the file it is in', () => {
		const made = madeUpPackage({ 'dist/a.js': 'eval(x)', 'dist/b.json': '"eval(x)"' });
		try {
			expect(threats(made.folder)).toEqual(['dist/a.js runs text as code']);
		} finally {
			made.remove();
		}
	});

	it('nowhere in the manifest', () => {
		expect(threatsInManifest(text('package.json'))).toEqual([]);
	});

	it.each([
		"const n8n_workflow_1 = require('n8n-workflow');",
		'const call_1 = require("../../shared/transport/call");',
		'// What the process. does',
		'this.window.halve(1); await this.fetch(2);',
		'"https://community.example.com"',
	])('not in %s', (code) => {
		expect(threatsInCode(code)).toEqual([]);
	});
});
