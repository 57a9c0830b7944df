import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';

test('npm start -- --quick shows a result, and no lines of n8n', async () => {
	const { stdout, stderr } = await promisify(execFile)(
		...(['npm', ['start', '--silent', '--', '--quick'], { cwd: PROJECT_FOLDER }] as const),
	);
	expect(stdout).toMatch(/\n\d+ in all\.\nThe first result came after [\d.]+ s\.\n$/);
	expect(stdout + stderr).not.toMatch(/encryption key|Shutting down|"file":/);
});
