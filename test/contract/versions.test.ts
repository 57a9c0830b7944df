import { OLDER_VERSIONS } from '../../scripts/older-versions.mts';
import { readme } from '../support/examples.mts';

it('the README names the oldest n8n that is tested', () => {
	const [{ n8n }] = OLDER_VERSIONS;
	const [major, minor] = n8n.split('.');
	expect(readme()).toContain(`Works with n8n ${major}.${minor} and newer.`);
});
