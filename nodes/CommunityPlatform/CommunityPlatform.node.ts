import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { builderHint } from './builderHint';
import { customOperations, properties } from './description';
import { optionHints } from './optionHints';
import {
	searchAuthors,
	searchBoards,
	searchRoles,
	searchTags,
	searchUsers,
} from './methods/listSearch';
import { unfilledTextHints } from './unfilledText';

/** The action node: every endpoint of the API as an operation, sent by the entry points in `send/`. */
export class CommunityPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Community Platform',
		name: 'communityPlatform',
		icon: {
			light: 'file:../../icons/community-platform.svg',
			dark: 'file:../../icons/community-platform.dark.svg',
		},
		group: ['transform'],
		version: 1,
		// Dry Run is off when it is added, so the canvas shows whether the next run makes changes.
		subtitle:
			'={{ ($parameter["options"]?.dryRun === true ? "dry run, " : "") + $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work with the boards, members, posts and tags of your community',
		builderHint,
		defaults: { name: 'Community Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'communityPlatformApi', required: true }],
		// Makes n8n add "Request Options". The address is read from the credential, by `call`.
		requestDefaults: { ignoreHttpStatusErrors: true },
		// A copy, because n8n adds parameters of its own to it.
		properties: [...properties],
		hints: [...unfilledTextHints, ...optionHints],
	};

	// n8n calls these once for all items of a run, instead of its routing engine for each item.
	customOperations = customOperations;

	methods = { listSearch: { searchAuthors, searchBoards, searchRoles, searchTags, searchUsers } };
}
