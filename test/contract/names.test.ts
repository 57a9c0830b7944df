import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { name as packageName } from '../../package.json';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { operationsOf, parametersOf } from '../support/description.mts';

// Saved workflows hold these names, so they never change: this table is written down once more here,
// not computed. In front of a colon stands a collection, "@" marks a resource locator, "@@" one that has
// names, too, "@me" that of an author.
const CONTRACT = `
board.create         POST  /api/v1/boards                   boardName isPrivate hiddenType permissionFor needsApproval additionalFields:about additionalFields:icon
board.get            GET   /api/v1/boards/{boardId}         @@boardId
board.getAll         GET   /api/v1/boards                   returnAll limit
board.reorder        PATCH /api/v1/boards/reorder           orderInput boardOrder:boards:@@boardId displayOrder
board.update         PUT   /api/v1/boards/{boardId}         @@boardId keepOtherFields updateFields:boardName updateFields:isPrivate updateFields:hiddenType updateFields:permissionFor updateFields:needsApproval updateFields:about updateFields:icon
board.updateMembers  PUT   /api/v1/boards/{boardId}/members @@boardId membersInput addMembers removeMembers boardMembers:members:@userId boardMembers:members:access
user.create          POST  /api/v1/users                    firstName email additionalFields:middleName additionalFields:lastName additionalFields:username additionalFields:ssoId additionalFields:userAvatar additionalFields:lang additionalFields:timezone
user.get             GET   /api/v1/users/{userId}           @userId
user.getAll          GET   /api/v1/users                    returnAll limit filters:status sort:sortBy sort:order
user.getSelf         GET   /api/v1/users/me
user.update          PUT   /api/v1/users/{userId}           @userId keepOtherFields hiddenFields updateFields:withoutValue updateFields:firstName updateFields:middleName updateFields:lastName updateFields:username updateFields:userAvatar updateFields:lang updateFields:timezone updateFields:userDescription updateFields:banner updateFields:socialMediaLinks
user.updateRole      PATCH /api/v1/users/{userId}           @userId @@roleId additionalFields:details
role.getAll          GET   /api/v1/roles                    returnAll limit
post.create          POST  /api/v1/posts                    @@boardId headline content @me:author
post.get             GET   /api/v1/posts/{postId}           postId
post.update          PUT   /api/v1/posts/{postId}           postId keepOtherFields updateFields:@@boardId updateFields:headline updateFields:content updateFields:@me:author
comment.create       POST  /api/v1/comments                 postId content @me:author
comment.get          GET   /api/v1/comments/{commentId}     commentId
comment.update       PUT   /api/v1/comments/{commentId}     commentId content
reply.create         POST  /api/v1/replies                  commentId content @me:author
reply.get            GET   /api/v1/replies/{replyId}        replyId
reply.update         PUT   /api/v1/replies/{replyId}        replyId content
tag.create           POST  /api/v1/tags                     name additionalFields:description additionalFields:image additionalFields:ogImage additionalFields:ogTitle additionalFields:ogDescription additionalFields:backColor additionalFields:textColor
tag.get              GET   /api/v1/tags/{tagId}             @@tagId
tag.getAll           GET   /api/v1/tags                     returnAll limit sort:sortBy sort:order
tag.getByIds         GET   /api/v1/tags                     tagIds returnAll limit
tag.getForEntity     GET   /api/v1/tags/mapping             refType refId returnAll limit
tag.search           GET   /api/v1/tags/search              query returnAll limit
tag.update           PUT   /api/v1/tags/{tagId}             @@tagId keepOtherFields updateFields:name updateFields:description updateFields:image updateFields:ogImage updateFields:ogTitle updateFields:ogDescription updateFields:backColor updateFields:textColor
tag.upsert           POST  /api/v1/tags                     name additionalFields:description additionalFields:image additionalFields:ogImage additionalFields:ogTitle additionalFields:ogDescription additionalFields:backColor additionalFields:textColor
`;
const ON_EVERY_OPERATION = [
	...['options:includeEmptyFields', 'options:maxRequestsAtOnce', 'options:maxRetries'],
];
// The only records that can have more than ten fields, where an operation answers with one.
const SIMPLIFIED = /^(board|user|post|comment|reply)\.(?!reorder|updateMembers|updateRole)/;
const READING = /\.(get|search$)/;
// What they change can be read before.
const COMPARED = /\.(update|updateRole|reorder|upsert)$/;

const { description } = new CommunityPlatform();
const { properties } = description;
const operations = operationsOf(properties);
const table = CONTRACT.trim()
	.split('\n')
	.map((line) => {
		const [key, method, url, ...parameters] = line.split(/\s+/);
		return { key, method, url, parameters };
	});

it('has exactly the resources and operations of the contract', () => {
	expect(operations.map(({ key }) => key).sort()).toEqual(table.map(({ key }) => key).sort());

	const resource = properties.find(({ name }) => name === 'resource');
	expect(resource?.options?.map((option) => 'value' in option && option.value)).toEqual([
		...['board', 'comment', 'post', 'reply', 'role', 'tag', 'user'],
	]);
});

it.each(table)('$key has its endpoint', ({ key, method, url }) => {
	const routing = operations.find((each) => each.key === key)?.option.routing;
	expect({ method: routing?.request?.method, url: routing?.request?.url }).toEqual({ method, url });
});

it.each(table)('$key shows exactly its parameters', ({ key, parameters }) => {
	const expected = [...parameters, ...ON_EVERY_OPERATION];
	if (SIMPLIFIED.test(key)) expected.push('simplify');
	if (key.startsWith('user.')) expected.push('options:includeRoleName');
	if (!READING.test(key)) expected.push('options:dryRun');
	if (COMPARED.test(key)) expected.push('options:skipUnchanged');
	if (key === 'user.getAll') expected.push('options:includeDetails');

	expect(parametersOf(properties, key).flatMap(namesOf).sort()).toEqual(expected.sort());
});

it.each(table)('$key shows a tool the same, with Output in place of Simplify', ({ key }) => {
	const shown = parametersOf(properties, key).map(({ name }) => name);
	const asTool = shown.flatMap((name) => (name === 'simplify' ? ['output', 'fields'] : name));

	const names = parametersOf(properties, key, 'tool').map(({ name }) => name);
	expect(names).toEqual(asTool);
	expect(new Set(names).size).toBe(names.length);
});

it.each(table)('$key shows its parameters in its own order', ({ key }) => {
	const [resource, value] = key.split('.');
	const { fields } = resources
		.find((each) => each.value === resource)!
		.operations.find((each) => each.value === value)!;
	// A parameter and its variant for tools have one name.
	const own = [...new Set(fields.map(({ name }) => name))];
	const shown = parametersOf(properties, key).map(({ name }) => name);
	expect(shown.filter((name) => own.includes(name))).toEqual(own);
});

it('turns an option on when it is added', () => {
	const options = parametersOf(properties, 'user.getAll').find(({ name }) => name === 'options');
	const wanted = (options?.options as INodeProperties[]).filter(({ name }) =>
		/^include/.test(name),
	);
	expect(wanted.map(({ name }) => name).sort()).toEqual([
		...['includeDetails', 'includeEmptyFields', 'includeRoleName'],
	]);
	expect(wanted.every((each) => each.default === true)).toBe(true);
});

it('shows no parameter that no operation has', () => {
	const shown = new Set(
		operations.flatMap(({ key }) => [
			...parametersOf(properties, key),
			...parametersOf(properties, key, 'tool'),
		]),
	);
	const hidden = properties.filter(
		(property) => !shown.has(property) && !['resource', 'operation'].includes(property.name),
	);
	expect(hidden).toEqual([]);
});

it('has the names of the package, the node and the credential', () => {
	expect(packageName).toBe('n8n-nodes-community-platform');
	expect(description).toMatchObject({
		...{ name: 'communityPlatform', displayName: 'Community Platform', version: 1 },
		credentials: [{ name: 'communityPlatformApi', required: true }],
	});
	const credential = new CommunityPlatformApi();
	expect(credential.name).toBe('communityPlatformApi');
	expect(credential.properties.map(({ name }) => name)).toEqual([
		...['baseUrl', 'sourceSystem', 'apiKey', 'webhookSecret', 'allowUnauthorizedCerts'],
	]);
	const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(masked.map(({ name }) => name)).toEqual(['apiKey', 'webhookSecret']);
});

/** A parameter as the table writes it; one entry for each that a collection holds. */
function namesOf(field: INodeProperties): string[] {
	if (field.type === 'collection') {
		const inner = field.options as INodeProperties[];
		return inner.flatMap(namesOf).map((name) => `${field.name}:${name}`);
	}
	if (field.type === 'fixedCollection') {
		return (field.options as INodePropertyCollection[]).flatMap(({ name, values }) =>
			values.flatMap(namesOf).map((inner) => `${field.name}:${name}:${inner}`),
		);
	}
	if (field.type === 'notice') return [];
	if (field.type !== 'resourceLocator') return [field.name];
	// RL(list,id): picked from a list that can be searched, or given by its identifier; some by their name.
	const modes = field.modes?.map(({ name }) => name);
	expect([
		['list', 'id'],
		['list', 'name', 'id'],
	]).toContainEqual(modes);
	const isMe = field.name === 'author';
	expect(field.default).toMatchObject({ mode: 'list', value: isMe ? 'me' : '' });
	return [`${isMe ? '@me:' : modes?.includes('name') ? '@@' : '@'}${field.name}`];
}
