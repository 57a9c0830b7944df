import { keep, make, the, write } from './dom.mjs';
import { ask } from './endpoints.mjs';
import { tell } from './news.mjs';

/** @import { View } from '../view.mts' */
/** @import { WebhookAddress } from '../webhooks.mts' */

const WITHOUT_SECRET = 'Without a secret: a trigger that verifies will answer 401';

/**
 * Makes the buttons and the form work.
 *
 * @param {() => Promise<void>} refresh shows at once what changed
 */
export function useControls(refresh) {
	/** @param {object} body */
	const letJoin = async (body) => {
		try {
			const { deliveries } = await ask('POST', '/newcomers', body);
			await refresh();
			if (deliveries === 0) tell('No delivery was sent: no webhook is set up for that.');
		} catch (reason) {
			tell(/** @type {Error} */ (reason).message, 'bad');
		}
	};
	the('#join', HTMLElement).addEventListener('click', () => void letJoin({}));
	the('#waitlist', HTMLElement).addEventListener('click', () => void letJoin({ waitlist: true }));

	the('#start-over', HTMLElement).addEventListener('click', () => {
		void ask('POST', '/start-over')
			.then(() => tell('Everything is as it was at the start. Webhooks and faults stay.'))
			.catch((reason) => tell(reason.message, 'bad'))
			.then(refresh);
	});

	const form = the('#webhook', HTMLFormElement);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		const field = the('#webhook-url', HTMLInputElement);
		const url = withScheme(field.value.trim());
		if (url === '') {
			write(outcome(), 'Enter the URL that the trigger shows in n8n.', 'outcome bad');
			field.focus();
			return;
		}
		const secret = the('#webhook-key', HTMLInputElement).value.trim();
		const address = secret === '' ? { url } : { url, secret };
		const change = changeWebhooks((known) => [
			...known.filter((each) => each.url !== url),
			address,
		]);
		const remark = secret === '' ? ` ${WITHOUT_SECRET}.` : '';
		void report(change, `${url} is told from now on.${remark}`, refresh);
	});
}

/**
 * Shows the addresses that are told, each with a button to take it out.
 *
 * @param {View} view
 * @param {() => Promise<void>} refresh
 */
export function showControls(view, refresh) {
	const { credential, webhooks } = view;
	write(the('#base-url', HTMLElement), location.origin);
	write(the('#source-system', HTMLElement), credential.sourceSystem);
	write(the('#api-key', HTMLElement), credential.apiKey);
	write(the('#webhook-secret', HTMLElement), credential.webhookSecret);
	proposeSecret(credential.webhookSecret);
	the('#no-addresses', HTMLElement).hidden = webhooks.length > 0;
	const items = webhooks.map((address) => ({ id: JSON.stringify(address), ...address }));
	keep(the('#addresses', HTMLElement), items, ({ id: _id, ...address }) => {
		const { url, name, secret, via = 'header', events } = address;
		const button = make('button', 'small', 'Remove');
		button.type = 'button';
		button.setAttribute('aria-label', `Remove ${url}`);
		button.addEventListener('click', () => {
			const isOther = (/** @type {WebhookAddress} */ each) =>
				JSON.stringify(each) !== JSON.stringify(address);
			const change = changeWebhooks((known) => known.filter(isOther));
			// Moves the focus first: the button that has it is removed.
			the('#addresses-title', HTMLElement).focus();
			void report(change, `${url} is not told any more.`, refresh);
		});
		const remarks = [
			...(name === undefined ? [] : [name]),
			secret === undefined ? WITHOUT_SECRET : `secret “${secret}” by ${via}`,
			...(events ? [`only ${events.join(', ')}`] : []),
		];
		const words = make('span', '', make('code', '', url), make('br'), remarks.join('; '));
		return make('li', '', words, button);
	});
}

/**
 * Once: what the user has typed or emptied stays.
 *
 * @param {string} secret
 */
function proposeSecret(secret) {
	const field = the('#webhook-key', HTMLInputElement);
	if (field.dataset.proposed !== undefined) return;
	field.dataset.proposed = '';
	if (field.value === '') field.value = secret;
}

/**
 * An address may be typed as it is often written: localhost:5678/webhook/…
 *
 * @param {string} address
 */
function withScheme(address) {
	return address === '' || address.includes('://') ? address : `http://${address}`;
}

/** Where the outcome of a change of the addresses is shown. */
const outcome = () => the('#webhook-outcome', HTMLElement);

/** @param {(known: WebhookAddress[]) => WebhookAddress[]} change */
async function changeWebhooks(change) {
	await ask('PUT', '/webhooks', change(await ask('GET', '/webhooks')));
}

/**
 * @param {Promise<void>} change
 * @param {string} done what to say when it is made
 * @param {() => Promise<void>} refresh
 */
async function report(change, done, refresh) {
	try {
		await change;
		write(outcome(), done, 'outcome good');
		await refresh();
	} catch (reason) {
		write(outcome(), /** @type {Error} */ (reason).message, 'outcome bad');
	}
}
