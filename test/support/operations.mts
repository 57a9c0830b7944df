import type { INodeParameters } from 'n8n-workflow';
import { byId } from './community.mts';

/** Reads the member with this identifier, or with the one that an expression gives. */
export const getUser = (userId: unknown): INodeParameters => ({
	resource: 'user',
	operation: 'get',
	userId: byId(userId),
});

/** Gives a member another role: a PATCH. */
export const updateRole = (userId: unknown, roleId: unknown): INodeParameters => ({
	resource: 'user',
	operation: 'updateRole',
	userId: byId(userId),
	roleId: byId(roleId),
});

/** Changes a comment: a single PUT, nothing is read first. */
export const updateComment = (commentId: string, content: string): INodeParameters => ({
	resource: 'comment',
	operation: 'update',
	commentId,
	content,
});

/** Creates a tag: a POST. */
export const createTag = (name: string, additionalFields = {}): INodeParameters => ({
	resource: 'tag',
	operation: 'create',
	name,
	additionalFields,
});
