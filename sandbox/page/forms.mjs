import { ask } from './ask.mjs';
import { make, show, the } from './show.mjs';

/** @import { View } from '../view.mts' */

/** The code of a member on the wait-list. */
const WAITLIST = 4;

/** @type {View['webhooks']} */
let known = [];

/**
 * Makes the forms and buttons work.
 *
 * @param {() => Promise<void>} refresh shows changes immediately
 */
export function useForms(refresh) {
	/** @param {() => Promise<string>} act returns the message to show when it is done */
	const carryOut = async (act) => {
		const outcome = the('outcome', HTMLElement);
		try {
			outcome.textContent = await act();
			await refresh();
		} catch (reason) {
			outcome.textContent = /** @type {Error} */ (reason).message;
		}
	};
	the('join', HTMLFormElement).addEventListener('submit', (event) => {
		event.preventDefault();
		const field = the('who', HTMLInputElement);
		const isWaiting = event.submitter?.id === 'waitlist';
		void carryOut(async () => {
			const status = isWaiting ? { user_status: WAITLIST } : {};
			await ask('POST', '/members', { who: field.value, ...status });
			field.value = '';
			return known.length > 0 ? '' : 'No webhook is set up, so nobody was told.';
		});
	});
	the('change', HTMLFormElement).addEventListener('submit', (event) => {
		event.preventDefault();
		const path = `/members/${the('member', HTMLSelectElement).value}`;
		const role_id = Number(the('role', HTMLSelectElement).value);
		const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
		void carryOut(async () => {
			if (value === 'remove') await ask('DELETE', path);
			else await ask('POST', `${path}/${value}`, { role_id });
			return '';
		});
	});
	the('start-over', HTMLElement).addEventListener('click', () => {
		if (!confirm('Undo all changes, and switch faults and limits off?')) return;
		void carryOut(async () => {
			await ask('POST', '/start-over');
			return 'Everything is as it was at the start, faults and limits are off. Webhooks stay.';
		});
	});
	the('webhook', HTMLFormElement).addEventListener('submit', (event) => {
		event.preventDefault();
		const url = withScheme(the('webhook-url', HTMLInputElement).value.trim());
		const secret = the('webhook-key', HTMLInputElement).value.trim();
		void carryOut(async () => {
			const others = known.filter((each) => each.url !== url);
			await ask('PUT', '/webhooks', [...others, secret === '' ? { url } : { url, secret }]);
			return `${url} is told from now on.`;
		});
	});
	the('addresses', HTMLElement).addEventListener('click', ({ target }) => {
		if (!(target instanceof HTMLButtonElement)) return;
		const { url = '' } = target.dataset;
		// Moves the focus first, because the button that has it is removed.
		the('webhook-url', HTMLElement).focus();
		void carryOut(async () => {
			const others = known.filter((each) => each.url !== url);
			await ask('PUT', '/webhooks', others);
			return `${url} is not told any more.`;
		});
	});
}

/**
 * Shows the values to enter in n8n, the addresses of the webhooks, and the members and roles to choose from.
 *
 * @param {View} view
 */
export function showForms({ credential, webhooks, roles, tables }) {
	known = webhooks;
	// After a removal, the browser selects the first option. The empty one keeps another member from being removed by
	// mistake.
	showOptions('member', [
		['Choose one of the members listed below', ''],
		...tables.members.rows.map((row) => [
			`${row.Name}, ${row.Username}: ${row.Role}, ${row.Status}`,
			String(row.msid),
		]),
	]);
	showOptions(
		'role',
		roles.map((role) => [role.role_name, String(role.role_id)]),
	);
	const fields = Object.entries({ 'Base URL': location.origin, ...credential });
	show('credential', fields, () => {
		the('webhook-key', HTMLInputElement).value = credential['Webhook Secret'];
		return fields.flatMap(([label, value]) => [make('dt', label), make('dd', value)]);
	});
	show('addresses', webhooks, () =>
		webhooks.map(({ url, name, secret }) => {
			const button = make('button', 'Remove');
			button.dataset.url = url;
			button.setAttribute('aria-label', `Remove ${url}`);
			const remark = secret === undefined ? 'without a secret' : `with the secret “${secret}”`;
			return make('li', [name, url, remark].filter(Boolean).join(', '), ' ', button);
		}),
	);
}

/**
 * Shows options to choose from. The selection stays as long as an option has its value.
 *
 * @param {string} id
 * @param {string[][]} options each a text and a value
 */
function showOptions(id, options) {
	const chosen = the(id, HTMLSelectElement).value;
	show(id, options, () =>
		options.map(([text, value]) => new Option(text, value, false, value === chosen)),
	);
}

/**
 * Accepts an address without a protocol, e.g. localhost:5678/webhook/…
 *
 * @param {string} address
 */
function withScheme(address) {
	return address.includes('://') ? address : `http://${address}`;
}
