import { startSandbox } from '../../sandbox/server.mts';
import { bendAnswers } from '../support/bending.mts';
import { firstContact, KEY, recordedContact } from '../support/first-contact.mts';

it('says what is safe to use, and writes the answers down', async () => {
	const sandbox = await startSandbox({ members: 30, apiKey: KEY });
	const { stdout, stderr, exitCode, recording } = await recordedContact(['--url', sandbox.baseUrl]);
	await sandbox.close();

	expect(stdout).toContain('GET requests were sent, and nothing else.');
	expect(stdout).toContain('yes: Get Many, also with Return All');
	expect(stdout).toContain('Nothing to report.');
	expect(exitCode).toBe(0);
	expect(JSON.parse(recording)).not.toHaveLength(0);
	for (const text of [stdout, stderr, recording]) expect(text).not.toContain(KEY);
});

it('says what is not, and ends with 1', async () => {
	const sandbox = await startSandbox({ members: 30, apiKey: KEY });
	sandbox.faults.add({ kind: 'stuck', answer: 'samePage', path: '/api/v1/boards' });
	const { stdout, exitCode } = await firstContact(['--url', sandbox.baseUrl]);
	await sandbox.close();

	expect(stdout).toContain('no: Choosing boards, roles and tags by name');
	expect(stdout).toMatch(/To report[^]*Boards, Pages after one another \(in the way\)/);
	expect(exitCode).toBe(1);
});

it('ends with 1 where it came in and did not see everything', async () => {
	const sandbox = await startSandbox({ members: 3, apiKey: KEY });
	const { stdout, exitCode } = await firstContact(['--url', sandbox.baseUrl, '--requests', '3']);
	await sandbox.close();

	expect(stdout).toContain('The visit ended early: Stopped after 3 requests.');
	expect(stdout).toContain('yes: Credential');
	expect(stdout).toContain('not known: Get Many');
	expect(exitCode).toBe(1);
});

it('does not print the key where a community names a field so', async () => {
	const sandbox = await startSandbox({ members: 3, apiKey: KEY });
	const bent = await bendAnswers(sandbox, (answer, _method, path) => {
		if (!path.endsWith('/users/me')) return;
		const own = JSON.parse(answer.body) as object;
		answer.body = JSON.stringify({ ...own, [`echo_${KEY}`]: 1 });
	});
	const { stdout, stderr } = await firstContact(['--url', bent.origin]);
	await bent.close();
	await sandbox.close();

	expect(stdout).toContain('additional: echo_[key]');
	expect(stdout + stderr).not.toContain(KEY);
});

it.each([
	['without an address', [], {}, /npm run first-contact -- --url/],
	['with no address', ['--url', 'ftp://x'], {}, /not a web address/],
	[
		'with a log-in in the address',
		['--url', `https://acme:${KEY}@x.test`],
		{},
		/not a web address/,
	],
	[
		'without a key',
		['--url', 'https://x.test'],
		{ COMMUNITY_API_KEY: '' },
		/Set COMMUNITY_API_KEY in/,
	],
	[
		'with the key as an argument',
		['--url', 'https://x.test', `--key=${KEY}`],
		{},
		/no such option/,
	],
	['with the key behind it', ['--url', 'https://x.test', KEY], {}, /no such/],
])('sends nothing and ends with 2 %s', async (_name, args, env, message) => {
	const { stdout, stderr, exitCode } = await firstContact(args, env as Record<string, string>);

	expect(stdout + stderr).toMatch(message);
	expect(stdout + stderr).not.toContain(KEY);
	expect(exitCode).toBe(2);
});
