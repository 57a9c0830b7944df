import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ReadValue } from './values';
import {
	boardPositions,
	boardRows,
	email,
	filledText,
	hexColor,
	idList,
	integerId,
	jsonObject,
	memberChanges,
	memberId,
	numericId,
	oneOf,
	permission,
	tagName,
	text,
	truth,
	wholeNumber,
} from './values';

// Parameters whose meaning their type does not tell. A name means the same in every operation.
const BY_NAME: Record<string, ReadValue> = {
	addMembers: memberChanges(true),
	author: memberId,
	backColor: hexColor,
	boardId: numericId,
	boardName: filledText,
	boardOrder: boardRows,
	commentId: numericId,
	content: filledText,
	displayOrder: boardPositions,
	email,
	firstName: filledText,
	headline: filledText,
	limit: wholeNumber(1),
	maxRequestsAtOnce: wholeNumber(1, 200),
	maxRetries: wholeNumber(0, 100),
	name: tagName,
	permissionFor: permission,
	postId: numericId,
	refId: memberId,
	removeMembers: memberChanges(false),
	replyId: numericId,
	roleId: integerId,
	tagId: numericId,
	tagIds: idList,
	textColor: hexColor,
	userId: memberId,
};

/**
 * How to read a parameter.
 *
 * @param field its place in the node's description
 */
export function ruleFor(field: INodeProperties): ReadValue {
	const named = BY_NAME[field.name];
	if (named) return named;
	if (field.type === 'boolean') return truth;
	if (field.type === 'json') return jsonObject;
	if (field.type === 'options') {
		return oneOf((field.options as INodePropertyOptions[]).map(({ value }) => value));
	}
	return text;
}

/** Whether what is read names one record. */
export function isIdentifier(rule: ReadValue): boolean {
	return [numericId, integerId, memberId].includes(rule);
}
