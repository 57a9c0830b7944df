import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.mts';
import { byId, byMode } from './community.mts';

/**
 * The description of the failure that ends an execution: the advice and, for an operation that changes data, the number
 * of items done.
 *
 * @param hasRest whether other items were not carried out
 */
export function toldAtStop(
	parameters: INodeParameters,
	advice: string,
	applied = 0,
	hasRest = false,
): string {
	const isReading = /^get|^search$/.test(String(parameters.operation));
	if (isReading) return advice;
	const isUncertain = advice.includes('may have been');
	return [
		advice,
		...(applied === 0 && !isUncertain ? ['Nothing was changed.'] : []),
		...(applied > 0 ? [`Items already applied: ${applied}.`] : []),
		...(hasRest && (applied > 0 || isUncertain) ? ['The other items were not processed.'] : []),
		...(hasRest
			? [
					"To process the other items, open Settings and set 'On Error' to 'Continue (using error output)'.",
				]
			: []),
	].join(' ');
}

/** Reads the member with this ID, which can be an expression. */
export const getUser = (userId: unknown): INodeParameters =>
	action('user.get', { userId: byId(userId) });

/** Reads the member in each item's `name`, in a mode of the locator. */
export const getNamed = (mode: string, options: object = {}): INodeParameters =>
	action('user.get', { userId: byMode(mode, '={{ $json.name }}'), options });

/** Changes a member's role with a PATCH. */
export const updateRole = (userId: unknown, roleId: unknown): INodeParameters =>
	action('user.updateRole', { userId: byId(userId), roleId: byId(roleId) });

/** The parameters and items that set the same role for this many active members. */
export function roleUpdates({ community }: Sandbox, count: number) {
	const [, roleId] = community.roles.keys();
	const members = community.members(10, 'user_id', 'asc').slice(0, count);
	return {
		parameters: updateRole('={{ $json.id }}', roleId),
		items: members.map(({ msid }) => ({ id: msid })),
	};
}

/** Changes a comment with a single PUT, without a read. */
export const updateComment = (commentId: string, content: string): INodeParameters =>
	action('comment.update', { commentId, content });

/** Creates a tag with a POST. */
export const createTag = (name: string, additionalFields = {}): INodeParameters =>
	action('tag.create', { name, additionalFields });

/** The parameters of an operation of a resource, e.g. `action('user.get', { userId: byId(ADA) })`. */
export function action(name: string, parameters: object = {}): INodeParameters {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
}
