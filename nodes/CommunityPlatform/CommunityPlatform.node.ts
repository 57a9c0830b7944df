import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchBoards } from './listSearch/boards';
import { searchRoles } from './listSearch/roles';
import { searchTags } from './listSearch/tags';
import { searchUsers } from './listSearch/users';
import { resourceProperties } from './resources';
import { customOperationsOf } from './send/roads';

/** The action node: every endpoint of the API as an operation, sent by the ways in `send/`. */
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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Work with the boards, members, posts and tags of your community',
		defaults: { name: 'Community Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'communityPlatformApi', required: true }],
		// Makes n8n add "Request Options". The address is read from the credential, by `call`.
		requestDefaults: { ignoreHttpStatusErrors: true },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Board', value: 'board' },
					{ name: 'Comment', value: 'comment' },
					{ name: 'Post', value: 'post' },
					{ name: 'Reply', value: 'reply' },
					{ name: 'Role', value: 'role' },
					{ name: 'Tag', value: 'tag' },
					{ name: 'User', value: 'user' },
				],
				default: 'user',
				// With this, n8n's routing engine, which may run the node as a tool, hands every request to the
				// function in the operation's routing.
				routing: { send: { paginate: true } },
			},
			...resourceProperties,
		],
	};

	// How a run is carried out: all items at once, instead of one by one through the routing engine.
	customOperations = customOperationsOf(resourceProperties);

	methods = { listSearch: { searchBoards, searchRoles, searchTags, searchUsers } };
}
