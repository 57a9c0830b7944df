import type { INodeProperties } from 'n8n-workflow';
import { CommunityPlatformApi } from '../../credentials/CommunityPlatformApi.credentials.ts';
import { resources } from '../../nodes/CommunityPlatform/actions/index.ts';
import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { CommunityPlatformPollingTrigger } from '../../nodes/CommunityPlatformPollingTrigger/CommunityPlatformPollingTrigger.node.ts';
import { CommunityPlatformTrigger } from '../../nodes/CommunityPlatformTrigger/CommunityPlatformTrigger.node.ts';
import { DEFAULT_SETTINGS } from '../../nodes/shared/transport/api.ts';
import { COMMENT_STATE, ENTITY_STATUS, USER_STATUS } from '../../nodes/shared/records/codes.ts';
import * as records from '../../nodes/shared/records/types.ts';
import { openApi, operations } from '../../sandbox/openapi.mts';
import { everyField } from '../support/description.mts';

const node = new CommunityPlatform();
const { properties } = node.description;
const { schemas } = openApi.components;

// A simplified record has at most ten fields, and only those that the API returns in that form.
const SIMPLIFIED: Partial<Record<keyof typeof records, number>> = {
	board: 10,
	post: 10,
	comment: 10,
	reply: 10,
	userSelf: 10,
	userDetail: 9,
	userDetailWithEmail: 10,
	userList: 9,
};

describe('the code agrees with the API about', () => {
	it.each([
		['board', 'Board'],
		['user', 'User'],
		['userSelf', 'User'],
		['userDetail', 'User'],
		['userDetailWithEmail', 'User'],
		['userList', 'User'],
		['role', 'Role'],
		['post', 'Post'],
		['comment', 'Comment'],
		['reply', 'Reply'],
		['tag', 'TagFull'],
		['tagSummary', 'TagSummary'],
	] as const)('the fields of a %s', (name, schema) => {
		const { idField, fields, simplified = [], codes = {} }: records.RecordType = records[name];
		expect(fields).toEqual(Object.keys(schemas[schema].properties as object));
		expect(schemas[schema].required ?? [idField]).toContain(idField);
		const shown = [...fields, ...Object.keys(codes).map((field) => `${field}_name`)];
		expect(shown).toEqual(expect.arrayContaining([...simplified]));
		expect(simplified.length).toBe(SIMPLIFIED[name] ?? 0);
		expect(fields).toEqual(expect.arrayContaining(Object.keys(codes)));
	});

	it.each([
		['board', 'Board'],
		['userSelf', 'UserSelf'],
		['userDetail', 'UserDetail'],
		['userDetailWithEmail', 'UserGet'],
		['userList', 'UserListItem'],
		['post', 'Post'],
		['comment', 'Comment'],
		['reply', 'Reply'],
	] as const)('the simplified fields of a %s', (name, schema) => {
		const { simplified = [] }: records.RecordType = records[name];
		const filled = Object.keys(schemas[schema].properties as object);
		const columns = simplified.filter(
			(field) => !field.endsWith('_name') || filled.includes(field),
		);
		expect(filled).toEqual(expect.arrayContaining(columns));
		expect(columns.length).toBeGreaterThan(6);
	});

	it.each([
		['UserStatus', USER_STATUS],
		['EntityStatus', ENTITY_STATUS],
		['ItemState', COMMENT_STATE],
	])('the codes of %s', (schema, codes) => {
		const values = schemas[schema].enum as number[];
		const names = schemas[schema]['x-enum-varnames'] as string[];
		expect(codes).toEqual(Object.fromEntries(values.map((value, at) => [value, names[at]])));
	});

	it.each([
		['user.getAll', 'filters', 'status', 10],
		['user.getAll', 'sort', 'sortBy', 'user_id'],
		['user.getAll', 'sort', 'order', 'desc'],
		['tag.getAll', 'sort', 'order', 'asc'],
	])('the default in %s, %s, %s', (key, collection, name, value) => {
		const [resource] = key.split('.');
		const field = properties.find(
			(each) => each.name === collection && each.displayOptions?.show?.resource?.[0] === resource,
		);
		const option = (field?.options as INodeProperties[]).find((each) => each.name === name);
		expect(option?.default).toBe(value);
		const { path } = operations.get(key) ?? { path: '' };
		const parameter = openApi.paths[path].get?.parameters?.find(
			(each) => each.name === option?.routing?.send?.property,
		);
		expect(parameter?.schema.default).toBe(value);
	});
});

it('shows the defaults that the code uses', () => {
	const options = properties.find(({ name }) => name === 'options')?.options as INodeProperties[];
	const shown = Object.fromEntries(options.map((option) => [option.name, option.default]));
	expect(DEFAULT_SETTINGS).toEqual({ maxRequestsAtOnce: 50, maxRetries: 5 });
	expect(shown).toMatchObject(DEFAULT_SETTINGS);
});

it('has the same words in the list of actions and in the panel, besides the resource', () => {
	for (const { name: resource, operations: all } of resources) {
		for (const { action, name } of all) {
			const words = action.replace(new RegExp(` (of )?${resource}s?\\b`, 'i'), '');
			expect(words.toLowerCase()).toBe(name.toLowerCase());
		}
	}
});

it('has a picker behind every locator', () => {
	const methods = everyField(properties)
		.flatMap(({ modes = [] }) => modes)
		.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	expect([...new Set(methods)].sort()).toEqual(Object.keys(node.methods.listSearch).sort());
});

it('has placeholders with an example or an instruction', () => {
	const triggers = [new CommunityPlatformTrigger(), new CommunityPlatformPollingTrigger()];
	const all = [
		...everyField(properties),
		...everyField(new CommunityPlatformApi().properties),
		...triggers.flatMap(({ description }) => everyField(description.properties)),
	];
	const texts = all.flatMap(({ placeholder, modes = [] }) => [
		placeholder,
		...modes.map((mode) => mode.placeholder),
	]);
	const wrong = texts.filter((text) => text !== undefined && !/^(e\.g\. |Add |Select )/.test(text));
	expect(wrong).toEqual([]);
});
