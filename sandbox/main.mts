import { parseArgs } from 'node:util';
import { credentialLines } from './credential.mts';
import { startSandbox } from './server.mts';

/** The default port of the sandbox. */
const DEFAULT_PORT = 4010;

const { values } = parseArgs({
	options: { port: { type: 'string' }, members: { type: 'string' }, delay: { type: 'string' } },
});
const number = (text: string | undefined, fallback: number) =>
	text === undefined ? fallback : Number(text);
const port = number(values.port ?? process.env.PORT, DEFAULT_PORT);

const sandbox = await startSandbox({
	port,
	members: number(values.members, 430),
	delayMs: number(values.delay, 0),
}).catch((reason: NodeJS.ErrnoException) => {
	const why =
		reason.code === 'EADDRINUSE'
			? `Port ${port} is taken. Choose another one: npm run sandbox -- --port ${port + 1}`
			: `The sandbox could not start: ${reason.message}`;
	console.error(why);
	process.exit(1);
});

const { baseUrl, sourceSystem, apiKey, community } = sandbox;
console.log(`
A community of ${community.users.size} members is open at ${baseUrl}
Look at it there in a browser, let a member join, set up a webhook.

n8n's credential for it:

${credentialLines(sandbox)}

Try it:

  curl -u ${sourceSystem}:${apiKey} '${baseUrl}/api/v1/users?page_size=3'

Development endpoints (requests, faults, rate limit) are listed in sandbox/README.md.
Ctrl-C ends it; nothing is kept.
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
