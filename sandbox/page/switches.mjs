import { keep, make, the, write } from './dom.mjs';
import { ask } from './endpoints.mjs';

/** @import { View } from '../view.mts' */
/** @import { Fault } from '../faults.mts' */

/**
 * Something that can be switched on, with a number.
 *
 * @typedef {object} Switch
 * @property {string} id also the label of its fault
 * @property {string} label
 * @property {string} unit what the number is
 * @property {number} number to begin with
 * @property {(number: number) => Promise<unknown>} on
 * @property {() => Promise<unknown>} off
 * @property {(view: View) => number | undefined} read its number while it is on
 */

/**
 * @param {string} id
 * @param {string} label
 * @param {{ unit: string, number: number }} field
 * @param {(number: number) => Fault} faultOf
 * @param {(fault: any) => number} numberOf
 * @returns {Switch}
 */
function faultSwitch(id, label, { unit, number }, faultOf, numberOf) {
	/** @param {View['faults']} faults */
	const armed = (faults) => faults.filter(({ fault }) => fault.label === id);
	return {
		id,
		label,
		unit,
		number,
		on: (value) => ask('POST', '/faults', { ...faultOf(value), label: id }),
		off: async () => {
			for (const each of armed(await ask('GET', '/faults')))
				await ask('DELETE', `/faults/${each.id}`);
		},
		read: ({ faults }) => armed(faults).map(({ fault }) => numberOf(fault))[0],
	};
}

const EVERY = { unit: 'One request in', number: 3 };
/** @param {{ every?: number }} fault */
const everyOf = ({ every = 1 }) => every;

/** @type {Switch[]} */
const SWITCHES = [
	{
		id: 'rate-limit',
		label: 'Rate limit (429)',
		unit: 'Requests per second',
		number: 5,
		on: (perSecond) =>
			ask('PUT', '/rate-limit', {
				perSecond,
				burst: Math.max(1, Math.round(perSecond)),
				retryAfterSeconds: 1,
			}),
		off: () => ask('PUT', '/rate-limit', null),
		read: ({ rateLimit }) => rateLimit?.perSecond,
	},
	faultSwitch(
		'slow',
		'Slow answers',
		{ unit: 'Milliseconds', number: 1000 },
		(delayMs) => ({ kind: 'slow', delayMs }),
		({ delayMs }) => delayMs,
	),
	faultSwitch(
		'unavailable',
		'Out of service (503)',
		EVERY,
		(every) => ({ kind: 'status', status: 503, message: 'the service is busy', every }),
		everyOf,
	),
	faultSwitch('cut', 'Connection lost', EVERY, (every) => ({ kind: 'cut', every }), everyOf),
	faultSwitch('html', 'HTML instead of data', EVERY, (every) => ({ kind: 'html', every }), everyOf),
];

/** Switches that are being changed: until that has settled, what a view says of them may be out of date. */
const busy = new Set();

/**
 * Shows which faults there are.
 *
 * @param {View} view
 * @param {() => Promise<void>} refresh shows at once what changed
 */
export function showFaults(view, refresh) {
	keep(
		the('#switches', HTMLElement),
		SWITCHES,
		(each) => makeSwitch(each, refresh),
		(item, each) => {
			if (busy.has(each.id)) return;
			const number = each.read(view);
			const field = the('input[type=number]', HTMLInputElement, item);
			the('input[role=switch]', HTMLInputElement, item).checked = number !== undefined;
			if (number !== undefined && field !== document.activeElement) field.value = String(number);
		},
	);
	const own = SWITCHES.map(({ id }) => id);
	const others = view.faults.filter(({ fault }) => !own.includes(fault.label ?? ''));
	the('#further', HTMLElement).hidden = others.length === 0;
	keep(
		the('#others', HTMLElement),
		others,
		({ id, fault }) => {
			const button = make('button', 'small', 'Remove');
			button.type = 'button';
			button.setAttribute('aria-label', `Remove the fault ${fault.kind}`);
			button.addEventListener('click', () => {
				the('#faults-title', HTMLElement).focus();
				void change(`The fault ${fault.kind} is off.`, refresh, () =>
					ask('DELETE', `/faults/${id}`),
				);
			});
			return make('li', '', make('code', '', JSON.stringify(fault)), make('span'), button);
		},
		(item, { hits }) => write(the('span', HTMLElement, item), `befell ${hits}`),
	);
}

/**
 * @param {Switch} each
 * @param {() => Promise<void>} refresh
 */
function makeSwitch({ id, label, unit, number, on, off }, refresh) {
	const toggle = make('input');
	toggle.type = 'checkbox';
	toggle.setAttribute('role', 'switch');
	const field = make('input');
	field.type = 'number';
	field.min = '1';
	field.step = '1';
	field.required = true;
	field.value = String(number);
	field.setAttribute('aria-label', `${label}: ${unit.toLowerCase()}`);
	const refusal = make('span', 'bad');
	refusal.setAttribute('role', 'status');
	/** @param {boolean} isOn @param {number} value */
	const apply = async (isOn, value) => {
		await change(`${label}: ${isOn ? 'on' : 'off'}.`, refresh, async () => {
			await off();
			if (isOn) await on(value);
		});
	};
	let waiting = 0;
	let queue = Promise.resolve();
	const set = () => {
		const isOn = toggle.checked;
		const value = Number(field.value);
		write(refusal, '');
		waiting++;
		busy.add(id);
		// One after another, or a fault that is quickly switched on and off could stay on.
		queue = queue
			.then(() => apply(isOn, value))
			.finally(() => {
				if (--waiting === 0) busy.delete(id);
			});
	};
	/** Whether the number can be used; if not, that is said, and what is set stays. */
	const isUsable = () => {
		const { valid } = field.validity;
		write(refusal, valid ? '' : 'Not set: enter a whole number, 1 or more');
		return valid;
	};
	toggle.addEventListener('change', () => {
		if (toggle.checked && !isUsable()) toggle.checked = false;
		else set();
	});
	field.addEventListener('change', () => {
		if (isUsable() && toggle.checked) set();
	});
	const numberLabel = make('label', '', `${unit} `, field);
	return make('li', '', make('label', '', toggle, label), refusal, numberLabel);
}

/**
 * @param {string} done what to say then
 * @param {() => Promise<void>} refresh
 * @param {() => Promise<unknown>} act
 */
async function change(done, refresh, act) {
	const outcome = the('#faults-outcome', HTMLElement);
	try {
		await act();
		write(outcome, done, 'outcome good');
	} catch (reason) {
		write(outcome, /** @type {Error} */ (reason).message, 'outcome bad');
	}
	await refresh();
}
