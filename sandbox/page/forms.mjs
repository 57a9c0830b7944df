import { ask } from './ask.mjs';
import { make, show, the } from './show.mjs';

/** @import { Candidate, View } from '../view.mts' */

/** The code of a member on the wait-list. */
const WAITLIST = 4;

/** @type {View['webhooks']} */
let known = [];
/**
 * The members to choose from, by msid.
 *
 * @type {Map<string, Candidate>}
 */
let candidates = new Map();

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
	the('member', HTMLSelectElement).addEventListener('change', enableButtons);
	the('change', HTMLFormElement).addEventListener('submit', (event) => {
		event.preventDefault();
		const msid = the('member', HTMLSelectElement).value;
		const path = `/members/${msid}`;
		const role_id = Number(the('role', HTMLSelectElement).value);
		const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
		const question = `Remove ${candidates.get(msid)?.name}? Only “Start over” brings a member back.`;
		if (value === 'remove' && !confirm(question)) return;
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
		if (!confirm(`Remove ${url}? The community stops telling it about new members.`)) return;
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
export function showForms({ credential, webhooks, roles, ...view }) {
	known = webhooks;
	const listed = Object.values(view.candidates).flat();
	candidates = new Map(listed.map((candidate) => [candidate.msid, candidate]));
	// After a removal, the browser selects the first option. The empty one keeps another member from being removed by
	// mistake.
	showOptions('member', view.candidates, () => [
		new Option('Choose a member', ''),
		...Object.entries(view.candidates).flatMap(([label, members]) => {
			const options = members.map(
				({ name, remark, msid }) => new Option(`${name}, ${remark}`, msid),
			);
			return members.length > 0 ? Object.assign(make('optgroup', ...options), { label }) : [];
		}),
	]);
	enableButtons();
	showOptions('role', roles, () =>
		roles.map(({ role_name, role_id }) => new Option(role_name, String(role_id))),
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
 * @param {unknown} value the data that they show
 * @param {() => HTMLElement[]} options
 */
function showOptions(id, value, options) {
	const field = the(id, HTMLSelectElement);
	const chosen = field.value;
	show(id, value, options);
	if ([...field.options].some((option) => option.value === chosen)) field.value = chosen;
}

/** Enables the buttons of the changes that fit the status of the chosen member. */
function enableButtons() {
	const field = the('member', HTMLSelectElement);
	const changes = candidates.get(field.value)?.changes ?? [];
	for (const button of the('change', HTMLFormElement).querySelectorAll('button')) {
		const isDisabled = !changes.includes(button.value);
		// Moves the focus first, because a disabled button loses it.
		if (isDisabled && button === document.activeElement) field.focus();
		button.disabled = isDisabled;
	}
}

/**
 * Accepts an address without a protocol, e.g. localhost:5678/webhook/…
 *
 * @param {string} address
 */
function withScheme(address) {
	return address.includes('://') ? address : `http://${address}`;
}
