import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { outputSchemas } from '../../dev/scripts/output-schemas.mts';
import { checkedIn, schemaFile, schemaText } from '../../dev/scripts/schema-files.mts';
import { operationsOf } from '../support/description.mts';

test('the output previews of all operations and triggers are up to date (update them with "npm run schemas")', () => {
	const wanted = [...outputSchemas()].map(([subject, schema]) => [
		schemaFile(subject),
		schemaText(schema),
	]);
	const [{ properties }, ...triggers] = [
		new CommunityPlatform(),
		new CommunityPlatformTrigger(),
		new CommunityPlatformPollingTrigger(),
	].map(({ description }) => description);
	expect(wanted).toHaveLength(operationsOf(properties).length + triggers.length);
	expect(Object.fromEntries(checkedIn())).toEqual(Object.fromEntries(wanted));
});
