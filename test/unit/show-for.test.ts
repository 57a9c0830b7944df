import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../../nodes/CommunityPlatform/actions/operation.ts';
import { fieldsFieldOf } from '../../nodes/CommunityPlatform/actions/common.ts';
import { showForAll } from '../../nodes/CommunityPlatform/actions/display.ts';
import { post } from '../../nodes/shared/records/types.ts';

const operation = (value: string, record?: Operation['record']): Operation => ({
	name: value,
	value,
	action: value,
	description: value,
	request: { method: 'GET', url: '/' },
	strategy: 'one',
	record,
	fields: [],
});
const resource = (value: string, ...operations: Operation[]): Resource => ({
	name: value,
	value,
	initial: operations[0],
	operations,
});
const conditions = (fields: INodeProperties[]) =>
	fields.map(({ displayOptions }) => [
		displayOptions?.show?.resource,
		displayOptions?.show?.operation,
	]);

describe('a parameter that operations of several resources share', () => {
	const posts = resource('post', operation('get', post), operation('update', post));

	it('is described once where one condition tells who has it', () => {
		const others = resource('board', operation('create'), operation('update', post));
		expect(conditions(showForAll([others, posts], fieldsFieldOf(post)))).toEqual([
			[
				['board', 'post'],
				['get', 'update'],
			],
		]);
	});

	it('is described once for each resource where an operation of the same name does not have it', () => {
		const boards = resource('board', operation('get'), operation('getPosts', post));
		expect(conditions(showForAll([boards, posts], fieldsFieldOf(post)))).toEqual([
			[['board'], ['getPosts']],
			[['post'], ['get', 'update']],
		]);
	});
});
