import type { IDataObject } from 'n8n-workflow';
import { Failure, NOTHING_CHANGED } from '../../../shared/failure';
import { isIdentifier } from '../../../shared/records/identity';
import type { ApiRequest } from '../../../shared/transport';
import type { Parameter } from '../../input/parameter';
import { couldClear, refuseMostlyLost } from '../../tool/update';
import type { Item, Steps } from '../item';
import { recordShaper, shapeAnswer } from '../shape';
import { markSent, markSkipped, planOfUpdate, preview } from '../plan';
import type { Input } from '../../input/field';

const FINDING_OUT =
	'https://github.com/community-platform/n8n-nodes-community-platform/blob/main/docs/operations.md#how-to-find-out';

/**
 * PUT replaces the whole record, so "Keep Other Fields" reads it first and sends the other fields unchanged
 * (docs/decisions.md, A8). Reading and writing hold one lock, so no other write of this process comes between them.
 */
export const replace: Steps = {
	check({ prepared: { bodyFields }, isTool }, input) {
		if (Object.keys(input.body).length === 0) {
			throw new Failure(
				'There is nothing to update',
				input.gaveNothing.length > 0
					? 'This item has no value for any field. Check the field names in the input, or leave the item out with a Filter node before this node.'
					: isTool
						? 'Enter a value for at least one field. To clear a text, enter two quotation marks ("").'
						: `Enter a value for at least one of these: ${quotedLabels(bodyFields)}.`,
			);
		}
		if (!preservesOthers(input)) requireForUpdate(input.body, bodyFields, input);
		else if (input.values.hiddenFields !== 'clear') requireHidden(bodyFields, input, isTool);
	},

	async send(item) {
		await item.waitFor(item.lockRecord());
		return [await replaceRecord(item, item.request, preservesOthers(item.input))];
	},
};

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
	return await item.decide(async () => await decideChange(item, request, isMerging));
}

async function decideChange(item: Item, request: ApiRequest, isMerging: boolean) {
	const { values, labels } = item.input;
	const { prepared, isTool } = item.run;
	const { bodyFields } = prepared;
	const { expects, body: entered = {} } = request;
	const record = await item.fetch(expects, request);
	const decidedAt = performance.now();
	if (isTool) refuseMostlyLost(record.content, entered.content, labels.content);
	// Fields that are not set are kept or, without `isMerging`, cleared.
	const compared = isMerging ? bodyFields.filter(({ sentAs }) => sentAs in entered) : bodyFields;
	const plan = planOfUpdate(record, entered, compared, item);
	if (item.skipsUnchanged && (plan.action === 'none' || item.wasChangedBefore)) {
		return item.isDryRun ? preview(item, plan) : markSkipped(item, recordShaper(item)(record));
	}
	const body = isMerging ? preserveFields(entered, bodyFields, record, values) : entered;
	if (isMerging) requireForUpdate(body, bodyFields, item.input);
	const cleared = isMerging ? hiddenIn(bodyFields, body) : [];
	const done = item.isDryRun
		? preview(item, planOfUpdate(record, entered, [...compared, ...cleared], item))
		: markSent(
				item,
				shapeAnswer(await item.send({ ...request, body, decidedAt }), item),
				plan,
				compared,
			);
	for (const { label } of cleared) item.run.summary.cleared.add(label);
	return done;
}

/** Returns the body of an update that keeps other fields. Throws a Failure if no value would keep a field. */
export function preserveFields(
	entered: IDataObject,
	fields: Parameter[],
	record: IDataObject,
	values: Input['values'] = {},
): IDataObject {
	const body = { ...entered };
	for (const { sentAs, valueToPreserve, label } of fields) {
		// Before `valueToPreserve`, which may throw, because a field that is set need not be kept.
		if (sentAs in body) continue;
		const value = valueToPreserve ? valueToPreserve(record, values) : record[sentAs];
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

function requireForUpdate(body: IDataObject, fields: Parameter[], input: Input): void {
	const missing = fields.filter((each) => each.requiredInUpdate && !(each.sentAs in body));
	const names = quotedLabels(missing);
	if (names === '') return;
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

function requireHidden(bodyFields: Parameter[], input: Input, isTool: boolean): void {
	const { body, gaveNothing, labels } = input;
	const names = quotedLabels(hiddenIn(bodyFields, body));
	if (names === '') return;
	const choice = (where = '') =>
		`If your community keeps fields that an update leaves out, choose 'May Be Cleared' in '${labels.hiddenFields}'${where}.`;
	const link = `How to find out in two minutes: ${FINDING_OUT}`;
	if (isTool) throw couldClear(choice(' in the node'), link);
	const empty = gaveNothing.map((label) => `'${label}'`).join(', ');
	const advice = [
		`${NOTHING_CHANGED} Add each field to 'Update Fields' and copy its value from the member's profile in the community. If the profile has no value, leave the field empty.`,
		empty && `This item has no value for ${empty}.`,
		choice(),
	];
	throw new Failure(
		`This update could clear ${names}, which the API does not return`,
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
