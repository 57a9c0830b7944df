import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchBoards } from './listSearch/boards';
import { searchRoles } from './listSearch/roles';
import { searchTags } from './listSearch/tags';
import { searchUsers } from './listSearch/users';
import { resourceProperties } from './resources';

/** The action node: every endpoint of the API as an operation, sent by the functions in `send/`. */
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
		// Makes n8n route this node. The address is not an expression here, because n8n would evaluate it
		// twice for each item: `call` reads it from the credential once for each run.
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
				// With this, n8n hands every request to the function in the operation's routing.
				routing: { send: { paginate: true } },
			},
			...resourceProperties,
		],
	};

	methods = { listSearch: { searchBoards, searchRoles, searchTags, searchUsers } };
}
