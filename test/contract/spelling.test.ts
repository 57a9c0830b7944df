import { statusOptions } from '../../nodes/CommunityPlatform/resources/user/status.ts';
import { USER_STATUS_CODE } from '../../nodes/shared/records/codes.ts';
import { documents } from '../../scripts/documents.mts';
import { files, text } from '../support/shipped.mts';

// In capitals or behind an underscore it is a code of the API, in quotes what somebody types, or a file.
const WITHOUT_HYPHEN = /(?<![\w"])wait ?list(?!-approval)|(?<![A-Z"])Wait ?[Ll]ist/;

describe('the wait-list is spelled with a hyphen', () => {
	it.each([...documents(), ...files])('in %s', (file) => {
		expect(WITHOUT_HYPHEN.exec(text(file))).toBeNull();
	});

	it('in the label of the status', () => {
		const { WAITLIST } = USER_STATUS_CODE;
		expect(statusOptions.find(({ value }) => value === WAITLIST)?.name).toBe('Wait-List');
	});
});
