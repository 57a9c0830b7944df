import type { Community } from '../community.mts';
import { seedBoards } from './boards.mts';
import { seedContent } from './content.mts';
import { seedMembers, seedRoles } from './members.mts';
import { seedTagMappings, seedTags } from './tags.mts';

/**
 * Fills an empty community. All values follow from the seed, and all times from the start of the community, so that two
 * communities with the same options have the same records.
 */
export function seedCommunity(community: Community): void {
	seedRoles(community);
	seedMembers(community);
	seedBoards(community);
	seedTags(community);
	seedContent(community);
	seedTagMappings(community);
}
