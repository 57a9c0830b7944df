import type { IDataObject } from 'n8n-workflow';
import { Failure, NOTHING_CHANGED } from '../../shared/failure';
import { isIdentifier } from '../../shared/records/identity';
import type { ApiRequest } from '../../shared/transport';
import type { Input, Parameter } from '../actions/field';
import { recordIn, type Item, type Records } from '../run/item';
import { carryOut, currentValue, planOfUpdate, type Decision } from '../run/plan';
import type { Run } from '../run/run';
import { recordShaper, shapeAnswer } from '../run/shape';
import { couldClear, refuseMostlyLost } from '../tool/update';
import { requireFreeName } from './freeName';

const FINDING_OUT =
	'https://github.com/community-platform/n8n-nodes-community-platform/blob/main/docs/operations.md#how-to-find-out';

/**
 * PUT replaces the whole record, so "Keep Other Fields" reads it first and sends the other fields unchanged
 * (docs/decisions.md, A8). Reading and writing hold one lock, so no other write of this process comes between them.
 */
export async function replace(item: Item): Promise<Records> {
	await item.waitFor(item.lockRecord());
	return [await replaceRecord(item, item.request, preservesOthers(item.input))];
}

/**
 * Replaces a record with the body of a PUT. If `isMerging`, fields that are not in the body keep their values.
 *
 * @throws Failure if a field that PUT requires, or one that cannot be kept, is neither set nor in the record
 */
export async function replaceRecord(
	item: Item,
	request: ApiRequest,
	isMerging: boolean,
): Promise<IDataObject> {
	if (!isMerging && !item.needsRecord) return shapeAnswer(await item.send(request), item);
	return await carryOut(item, async () => await decide(item, request, isMerging));
}

async function decide(item: Item, request: ApiRequest, isMerging: boolean): Promise<Decision> {
	const { input, run } = item;
	const { bodyFields } = run.prepared;
	const { expects, body: entered = {} } = request;
	const record = await item.fetch(expects, request);
	if (run.isTool) refuseMostlyLost(record.content, entered.content, input.labels.content);
	// Fields that are not set are kept or, without `isMerging`, cleared.
	const compared = isMerging ? bodyFields.filter(({ sentAs }) => sentAs in entered) : bodyFields;
	const key = item.keyOf(recordIn(request.path));
	const planned = item.community.planned.get(key);
	const plan = planOfUpdate(item, record, entered, compared, planned);
	if (item.isDryRun) {
		await requireFreeName(item, plan.changes.name?.to, recordIn(request.path).id);
		item.community.planned.set(key, { ...planned, ...entered });
	}
	const current = () => recordShaper(item)(record);
	const isSame = plan.action === 'none' || item.done === 'before';
	const send = async (body = entered) => await item.send({ ...request, body, isDecided: true });
	if (!isMerging || (isSame && item.skipsUnchanged)) return { plan, current, send };
	const body = preserveFields(entered, bodyFields, record);
	requireForUpdate(body, bodyFields, input);
	const cleared = hiddenIn(bodyFields, body);
	for (const { label } of cleared) run.notes.add('cleared', label);
	// A dry run also shows what would be cleared.
	const shown = item.isDryRun
		? planOfUpdate(item, record, entered, [...compared, ...cleared], planned)
		: plan;
	return { plan: shown, current, send: async () => await send(body) };
}

/** Returns the body of an update that keeps other fields. Throws a Failure if one cannot be read exactly. */
export function preserveFields(
	entered: IDataObject,
	fields: Parameter[],
	record: IDataObject,
): IDataObject {
	const body = { ...entered };
	for (const field of fields.filter(({ sentAs }) => !(sentAs in body))) {
		const { sentAs, label } = field;
		const value = currentValue(record, field);
		if (value === undefined || value === null) continue;
		// JSON does not keep all digits of a long number, nor a zero at the end of its fraction.
		if ([value].flat().some((each) => typeof each === 'number' && !isIdentifier(each))) {
			throw new Failure(
				`The node cannot read the current value of '${label}' exactly`,
				`Look up the current value in your community and enter it in '${label}'.`,
			);
		}
		body[sentAs] = value as IDataObject;
	}
	return body;
}

/** Checks what an update needs before anything is sent. Throws a Failure. */
export function requireUpdate({ prepared: { bodyFields }, isTool }: Run, input: Input): void {
	if (Object.keys(input.body).length === 0) throw nothingToUpdate(bodyFields, input, isTool);
	if (!preservesOthers(input)) requireForUpdate(input.body, bodyFields, input);
	else if (input.values.hiddenFields !== 'clear') requireHidden(bodyFields, input, isTool);
}

function nothingToUpdate(fields: Parameter[], { withoutValue }: Input, isTool: boolean): Failure {
	const advice = isTool
		? 'Enter a value for at least one field. To clear a text, enter two quotation marks ("").'
		: `Enter a value for at least one of these: ${quotedLabels(fields)}.`;
	return new Failure(
		'There is nothing to update',
		withoutValue.length > 0
			? 'This item has no value for any field. Check the field names in the input, or leave the item out with a Filter node before this node.'
			: advice,
	);
}

function requireForUpdate(body: IDataObject, fields: Parameter[], input: Input): void {
	const missing = fields.filter((each) => each.requiredInUpdate && !(each.sentAs in body));
	if (missing.length === 0) return;
	const names = quotedLabels(missing);
	const { keepOtherFields } = input.labels;
	const fieldsOf = keepOtherFields === undefined ? 'Additional Fields' : 'Update Fields';
	const add = `Add ${names} under '${fieldsOf}'`;
	throw new Failure(
		`An update needs a value for ${names}`,
		keepOtherFields === undefined || preservesOthers(input)
			? `${add}, because the API did not return the current value.`
			: `${add}, or turn on '${keepOtherFields}'.`,
	);
}

function requireHidden(fields: Parameter[], input: Input, isTool: boolean): void {
	const { body, withoutValue, labels } = input;
	const hidden = hiddenIn(fields, body);
	if (hidden.length === 0) return;
	const choice = (where = '') =>
		`If your community keeps fields that an update leaves out, choose 'Allow Clearing' in '${labels.hiddenFields}'${where}.`;
	const link = `How to find out in two minutes: ${FINDING_OUT}`;
	if (isTool) throw couldClear(choice(' in the node'), link);
	const empty = withoutValue.map((label) => `'${label}'`).join(', ');
	const advice = [
		`${NOTHING_CHANGED} Add each field to 'Update Fields' and copy its value from the member's profile in the community. If the profile has no value, leave the field empty.`,
		empty && `This item has no value for ${empty}.`,
		choice(),
	];
	throw new Failure(
		`This update could clear ${quotedLabels(hidden)}, which the API does not return`,
		advice.filter(Boolean).join(' '),
		{ link },
	);
}

// The fields that an update with this body could clear, and that no answer contains.
function hiddenIn(bodyFields: Parameter[], body: IDataObject): Parameter[] {
	return bodyFields.filter(({ sentAs, isNeverReturned }) => isNeverReturned && !(sentAs in body));
}

// Comments and replies have no such switch, because only their content can be sent.
function preservesOthers({ values, labels }: Input): boolean {
	return 'keepOtherFields' in labels && values.keepOtherFields !== false;
}

function quotedLabels(fields: Parameter[]): string {
	return fields.map(({ label }) => `'${label}'`).join(', ');
}
