import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../../shared/transport/failure';
import { isIdentifier } from '../../../shared/records/identity';
import type { ApiRequest } from '../../../shared/transport/request';
import { inApiType } from '../../input/apiType';
import type { Input } from '../../input/input';
import { isMap } from '../../input/values';
import { GAVE_NOTHING } from '../../input/readInput';
import type { Operation } from '../../actions/operation';
import { carryOut, preview } from '../carryOut';
import { EMPTY } from '../modelArguments';
import type { Sent } from '../changes';
import { planOfUpdate, sentBy, withCleared } from '../changes';
import type { ItemContext, Strategy } from '../itemContext';
import { recordKey } from './one';
import { recordShaper, shapeAnswer } from '../output';

/**
 * An update by PUT, which replaces the whole record: with "Keep Other Fields" the record is read first and the fields
 * that were not given are sent along unchanged (docs/decisions.md, A8). Reading and writing hold one lock, so no other
 * write of this process comes between them.
 */
export const replace: Strategy = {
	check(operation, input) {
		if (Object.keys(input.body).length === 0) {
			throw new Failure('Nothing was given to change', adviceForNothing(operation, input));
		}
		if (!keepsOthers(input)) requireNeeded(input.body, sentBy(operation), input);
		else if (input.values.hiddenFields !== 'clear') requireHidden(operation, input);
	},

	async send(item) {
		const { request, input } = item;
		await item.waitFor(item.lockRecord(recordKey(request.path)));
		const replaced = await replaceRecord(item, request, keepsOthers(input));
		for (const label of input.gaveNothing) item.notes.gaveNothing.add(label);
		return [replaced];
	},
};

/**
 * Replaces a record: by the given fields, or by its present fields with the given ones over them.
 *
 * @param request the PUT, with the given fields as its body
 * @param isKept whether fields that are not given keep their values
 * @throws Failure when a field that PUT requires, or one that cannot be kept, is neither given nor in the record
 */
export async function replaceRecord(
	item: ItemContext,
	request: ApiRequest,
	isKept: boolean,
): Promise<IDataObject> {
	const { operation, input } = item;
	if (!isKept && !item.isCompared) return shapeAnswer(await item.send(request), item);
	const { path, identifiers, expects } = request;
	const read: ApiRequest = { method: 'GET', repeat: 'safe', path, identifiers, expects };
	// `send` has checked that the answer is the record.
	const record = (await item.send(read)).body as IDataObject;
	const sent = sentBy(operation);
	const given = request.body ?? {};
	// Fields that are not given are kept or, without `isKept`, cleared.
	const compared = isKept ? sent.filter(({ field }) => field in given) : sent;
	const plan = planOfUpdate(record, given, compared, identifiersOf(record, item));
	const bodyOf = () => {
		if (!isKept) return given;
		const body = withKept(given, sent, record);
		requireNeeded(body, sent, input);
		return body;
	};
	const noteCleared = (body: IDataObject): Sent[] => {
		if (!isKept) return [];
		const hidden = sent.filter(({ isNeverShown }) => isNeverShown);
		for (const { field, label } of hidden)
			if (isEmptied(body[field])) item.notes.emptied.add(label);
		const cleared = hidden.filter(({ field }) => !(field in body));
		for (const { label } of cleared) item.notes.cleared.add(label);
		return cleared;
	};
	// Without "Skip Unchanged" the run would send the update even if nothing differs, so a dry run checks its body, too.
	if (item.isDryRun && (plan.action === 'update' || !item.skipsUnchanged)) {
		return preview(item, withCleared(plan, noteCleared(bodyOf())));
	}
	return await carryOut(item, plan, {
		unchanged: () => recordShaper(item)(record),
		async send() {
			const body = bodyOf();
			const replaced = shapeAnswer(await item.send({ ...request, body }), item);
			noteCleared(body);
			return replaced;
		},
	});
}

/**
 * The body of an update that keeps the fields that were not given.
 *
 * @param given the given fields
 * @param record as the API shows it
 * @throws Failure when no value would keep a field
 */
export function withKept(
	given: IDataObject | undefined,
	sent: Sent[],
	record: IDataObject,
): IDataObject {
	const body = { ...given };
	for (const { field, keep, parameter } of sent) {
		// Before `keep`, which may throw: a given field need not be kept.
		if (field in body) continue;
		const value = keep ? keep(record) : record[field];
		if (value === undefined || value === null) continue;
		body[field] = inApiType(parameter, value) as IDataObject;
	}
	return body;
}

function isEmptied(value: unknown): boolean {
	return value === '' || (isMap(value) && Object.keys(value).length === 0);
}

function adviceForNothing(operation: Operation, input: Input): string {
	if (input.argumentFor) {
		const { given } = argumentsFor(sentBy(operation), input.argumentFor);
		if (given.length === 0) return 'This tool has no argument for what to change: tell the person.';
		return `Call again with a value for at least one of ${given.join(', ')}, or ask the person what to change.`;
	}
	return input.gaveNothing.length > 0
		? GAVE_NOTHING
		: 'Add at least one field under "Update Fields" and give it a value.';
}

// The arguments by which a model can give fields, and the labels of fields without one.
function argumentsFor(sent: Sent[], argumentFor: NonNullable<Input['argumentFor']>) {
	const given: string[] = [];
	const others: string[] = [];
	for (const { parameter, label } of sent) {
		const argument = argumentFor(parameter.name);
		if (argument === undefined) others.push(label);
		else given.push(argument);
	}
	return { given, others };
}

function requireNeeded(body: IDataObject, sent: Sent[], input: Input): void {
	const missing = sent.filter(({ field, isNeeded }) => isNeeded && !(field in body));
	if (missing.length === 0) return;
	if (input.argumentFor) {
		const { given, others } = argumentsFor(missing, input.argumentFor);
		throw new Failure(
			`An update needs a value for ${[...given, ...others].join(', ')}`,
			'Call again with the present value, or ask the person for it.',
		);
	}
	const names = missing.map(({ label }) => `"${label}"`).join(', ');
	throw new Failure(
		`An update needs a value for ${names}`,
		`Add ${names} under "Update Fields"${keepsOthers(input) ? ': the API did not show the current value' : `, or turn on "${input.labels.keepOtherFields}"`}.`,
	);
}

function requireHidden(
	operation: Operation,
	{ body, gaveNothing, labels, argumentFor }: Input,
): void {
	const left = sentBy(operation).filter(
		({ field, isNeverShown }) => isNeverShown && !(field in body),
	);
	if (left.length === 0) return;
	if (argumentFor) throw hiddenFromModel(left, labels.hiddenFields, argumentFor);
	const names = left.map(({ label }) => `"${label}"`).join(', ');
	const empty = gaveNothing.map((label) => `"${label}"`).join(', ');
	throw new Failure(
		`This update would clear ${names}, which the API does not show`,
		`In "Update Fields" → "All Hidden Fields", copy each from the member's profile in the community; choose what is empty there in "Without a Value".${empty && ` What is given for ${empty} is an expression that gave nothing.`} Only if they may be lost, choose "May Be Cleared" in "${labels.hiddenFields}".`,
	);
}

function hiddenFromModel(
	left: Sent[],
	setting: string,
	argumentFor: NonNullable<Input['argumentFor']>,
): Failure {
	const { given, others } = argumentsFor(left, argumentFor);
	const askFor = `The API cannot show ${given.join(', ')}: call again with their present values, or ask the person for them`;
	const names = others.map((label) => `"${label}"`).join(', ');
	const ifEmpty = `For one that is empty, give two quotation marks, in JSON ${JSON.stringify(EMPTY)}.`;
	if (others.length === 0) return new Failure(askFor, ifEmpty);
	const advice = `Tell the person that this tool has no argument for ${names}: add them to it, or choose "May Be Cleared" in its "${setting}".`;
	if (given.length > 0) return new Failure(askFor, `${ifEmpty} ${advice}`);
	return new Failure(`This update would clear ${names}, which the API does not show`, advice);
}

// Comments and replies have no such switch: their content is all that can be sent.
function keepsOthers({ values, labels }: Input): boolean {
	return 'keepOtherFields' in labels && values.keepOtherFields !== false;
}

function identifiersOf(record: IDataObject, { operation, input }: ItemContext): IDataObject {
	const { idField, compositeId } = operation.record ?? {};
	const shown = [compositeId?.field, idField].flatMap((field) =>
		field !== undefined && isIdentifier(record[field]) ? [[field, record[field]]] : [],
	);
	return { ...operation.identify?.(input), ...Object.fromEntries(shown) };
}
