import type { INodeProperties } from 'n8n-workflow';
import { board } from '../../../shared/records';
import type { Input } from '../../input/readInput';
import { sendListing } from '../../send/listing';
import { sendOne } from '../../send/one';
import { sendReplace } from '../../send/replace';
import { replaceableBoard } from '../../send/replaceable';
import { showFor } from '../showFor';
import * as create from './create';
import * as get from './get';
import * as reorder from './reorder';
import * as update from './update';
import * as updateMembers from './updateMembers';

const whichBoard = ({ values }: Input) => ({ board_id: Number(values.boardId) });

export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['board'] } },
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create a board',
			description: 'Create a new board',
			routing: {
				request: { method: 'POST', url: '/api/v1/boards' },
				operations: { pagination: sendOne({ record: board, fields: create.fields }) },
			},
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get a board',
			description: 'Get the details of one board',
			routing: {
				request: { method: 'GET', url: '/api/v1/boards/{boardId}' },
				operations: { pagination: sendOne({ record: board, fields: get.fields }) },
			},
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many boards',
			description: 'Get a list of boards',
			routing: {
				request: { method: 'GET', url: '/api/v1/boards' },
				operations: { pagination: sendListing({ record: board, fields: [] }) },
			},
		},
		{
			name: 'Reorder',
			value: 'reorder',
			action: 'Reorder boards',
			description: 'Change the order in which boards are shown',
			routing: {
				request: { method: 'PATCH', url: '/api/v1/boards/reorder' },
				operations: {
					pagination: sendOne({
						fields: reorder.fields,
						identify: ({ body }: Input) => ({ display_order: body.display_order }),
					}),
				},
			},
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update a board',
			description: 'Change the details of a board',
			routing: {
				request: { method: 'PUT', url: '/api/v1/boards/{boardId}' },
				operations: {
					pagination: sendReplace(replaceableBoard, {
						record: board,
						fields: update.fields,
						identify: whichBoard,
					}),
				},
			},
		},
		{
			name: 'Update Members',
			value: 'updateMembers',
			action: 'Update the members of a private board',
			description: 'Give users access to a private board, or take it away',
			routing: {
				request: { method: 'PUT', url: '/api/v1/boards/{boardId}/members' },
				operations: {
					pagination: sendOne({
						fields: updateMembers.fields,
						check: updateMembers.requireMembers,
						identify: whichBoard,
					}),
				},
			},
		},
	],
	default: 'getAll',
};

export const fields: INodeProperties[] = showFor('board', {
	create: create.fields,
	get: get.fields,
	reorder: reorder.fields,
	update: update.fields,
	updateMembers: updateMembers.fields,
});
