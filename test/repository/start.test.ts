import { PROJECT_FOLDER } from '../../dev/n8n/paths.mts';
import { run } from '../../dev/tools/processes.mts';

test('npm start -- --quick shows a result without lines of n8n', async () => {
	const command = ['npm', 'start', '--silent', '--', '--quick'];
	const shown = await run(command, { cwd: PROJECT_FOLDER });
	expect(shown).toMatch(/\n\d+ in all\.\nThe first result came after [\d.]+ s\.\n$/);
	expect(shown).not.toMatch(/encryption key|Shutting down|"file":/);
});
