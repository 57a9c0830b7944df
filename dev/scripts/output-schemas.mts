import * as records from '../../nodes/shared/records/types.ts';
import { openApi, resolve, type Schema } from '../../sandbox/openapi.mts';

type RecordName = keyof typeof records;

/** The OpenAPI component that describes every field of a kind of record. */
const FIELDS_OF: Record<RecordName, string> = {
	board: 'Board',
	user: 'User',
	userSelf: 'UserSelf',
	userDetail: 'UserDetail',
	userDetailWithEmail: 'UserGet',
	userList: 'UserListItem',
	role: 'Role',
	post: 'Post',
	comment: 'Comment',
	reply: 'Reply',
	tag: 'TagFull',
	tagSummary: 'TagSummary',
};

/** The kind of record behind each component that an operation answers with. */
const RECORD_OF = Object.fromEntries(
	Object.entries(FIELDS_OF).map(([name, component]) => [component, name as RecordName]),
);

/** The fields that the node adds to an acknowledgement, to identify the changed record. */
const ACTED_ON: Record<string, Schema> = {
	'board.reorder': { display_order: { type: 'object' } },
	'board.updateMembers': {
		board_id: { type: 'integer' },
		added: { type: 'array', items: { type: 'string' } },
		removed: { type: 'array', items: { type: 'string' } },
		msid: { type: 'string' },
		username: { type: 'string' },
	},
	'user.updateRole': {
		msid: { type: 'string' },
		role_id: { type: 'integer' },
		success: { type: 'boolean' },
	},
};

/** Operations of the node without an endpoint of their own. */
const COMPOSED: Record<string, { like?: string; adds: Schema }> = {
	'board.upsert': { like: 'board.create', adds: { created: { type: 'boolean' } } },
	'user.getCount': { adds: { count: { type: 'integer' }, by_role: { type: 'object' } } },
	'user.createOrGet': {
		like: 'user.get',
		// The API's form of a new member may have the status as text.
		adds: { user_status: { type: ['integer', 'string', 'null'] }, created: { type: 'boolean' } },
	},
	'tag.upsert': { like: 'tag.create', adds: { created: { type: 'boolean' } } },
};

/** The polling trigger's fields about a changed member: the previous values, and the name of the role. */
const PREVIOUS = ['role_id', 'user_status', 'user_status_name', 'username', 'first_name'];

/**
 * The items of each operation and trigger, as n8n's JSON schemas for output previews. They describe the simplified form
 * if there is one, because it is the default. Fields are optional and others are allowed, so the full form is valid,
 * too.
 *
 * @returns schemas by `<resource>.<operation>`, and by the class of a trigger
 */
export function outputSchemas(): Map<string, Schema> {
	const schemas = new Map<string, Schema>();
	for (const path of Object.values(openApi.paths)) {
		for (const operation of Object.values(path)) {
			if (!('operationId' in operation)) continue;
			const { operationId, 'x-also': also = [], responses } = operation;
			for (const id of [operationId, ...also]) schemas.set(id, schemaOf(id, responses['200']));
		}
	}
	for (const [id, { like, adds }] of Object.entries(COMPOSED)) {
		const { properties = {} } = (like && (schemas.get(like) as { properties: Schema })) || {};
		schemas.set(id, previewOf({ ...properties, ...adds }));
	}
	// n8n 2.41 also requests those of triggers, and complains in the console if there are none. Its panel does not list
	// their fields, but its AI Builder makes sample data from them.
	schemas.set('CommunityPlatformTrigger', previewOf(eventProperties()));
	schemas.set('CommunityPlatformPollingTrigger', previewOf(polledProperties()));
	return schemas;
}

// An item about a member, because the other kinds of events are announced but not documented.
function eventProperties(): Schema {
	const { event, job_id } = propertiesOf('WebhookEvent');
	return {
		user: {
			type: 'object',
			properties: recordProperties('user', 'WebhookUser', records.user.fields),
		},
		event: { type: typeOf(event) },
		// As documented, or the triggers' substitute (nodes/shared/events.ts, jobIdOf).
		job_id: { type: [typeOf(job_id), 'string', 'null'] },
		received_at: { type: 'string' },
		dedupe_key: { type: 'string' },
	};
}

// The polling trigger returns a member as listed, with "Include Details", or as changed.
function polledProperties(): Schema {
	const named = { role_name: nullable('string') };
	return {
		...recordProperties('userDetailWithEmail', 'UserGet'),
		...recordProperties('userList', 'UserListItem'),
		...named,
		changed: { type: 'array', items: { type: 'string' } },
		change: { type: 'string' },
		previous: {
			type: 'object',
			properties: { ...recordProperties('userList', 'UserListItem', PREVIOUS), ...named },
		},
	};
}

// Without a documented status 200, the answer has no content, so the item contains the success and the record's ID.
function schemaOf(id: string, response?: object): Schema {
	if (!response) return previewOf({ ...ACTED_ON[id], success: { type: 'boolean' } });
	const component = answeredComponent(response);
	const name = component && RECORD_OF[component];
	const properties = name
		? recordProperties(name, component as string)
		: { ...ACTED_ON[id], message: { type: 'string' } };
	return previewOf(properties);
}

function previewOf(properties: Schema): Schema {
	return { type: 'object', properties, version: 1 };
}

function answeredComponent(response: object): string | undefined {
	const { content } = resolve(response) as { content?: Record<string, { schema: Schema }> };
	const schema = content?.['application/json'].schema;
	const { $ref } = (schema?.items ?? schema ?? {}) as { $ref?: string };
	return $ref?.split('/').at(-1);
}

// The forms of a record can differ in a field's type. For example, the owner's details contain user_status as text.
function recordProperties(name: RecordName, answered: string, chosen?: readonly string[]): Schema {
	const { codes = {}, simplified, fields } = records[name] as records.RecordType;
	const shown = chosen ?? simplified ?? fields;
	const names = Object.fromEntries(
		Object.keys(codes).map((code) => [`${code}_name`, nullable('string')]),
	);
	const documented = { ...propertiesOf(FIELDS_OF[name]), ...propertiesOf(answered) };
	return Object.fromEntries(
		shown.map((field) => [field, names[field] ?? preview(documented[field])]),
	);
}

function propertiesOf(component: string): Record<string, Schema> {
	return openApi.components.schemas[component].properties as Record<string, Schema>;
}

// n8n shows only types, and does not support references.
function preview(schema: Schema): Schema {
	const { type, oneOf, items, properties, additionalProperties } = resolve(schema) as Schema;
	if (Array.isArray(oneOf)) return { type: [...oneOf.map((one) => typeOf(one)), 'null'] };
	if (type === 'array')
		return { type: ['array', 'null'], items: { type: typeOf(items as Schema) } };
	if (type !== 'object') return nullable(String(type));
	const inner = Object.entries((properties ?? {}) as Record<string, Schema>);
	return {
		...nullable('object'),
		...(inner.length > 0
			? { properties: Object.fromEntries(inner.map(([key, value]) => [key, preview(value)])) }
			: {}),
		...(inner.length === 0 && additionalProperties ? { additionalProperties: true } : {}),
	};
}

function typeOf(schema: Schema): string {
	return String((resolve(schema) as Schema).type);
}

function nullable(type: string): Schema {
	return { type: [type, 'null'] };
}
