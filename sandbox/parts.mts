import type { Community } from './community.mts';
import type { Faults } from './faults.mts';
import type { RateLimit } from './rate-limit.mts';
import type { Recorder } from './recorder.mts';
import type { Webhooks } from './webhooks.mts';

/** What can be changed while the sandbox runs. */
export interface SandboxSettings {
	/** The basic-auth password that is accepted. */
	apiKey: string;
	/** Every answer waits this long. */
	delayMs: number;
	/** Changes that have nothing to show answer 204 without a body instead of `{ message: 'OK' }`. */
	emptyAnswers: boolean;
}

/** What a sandbox is put together from; the API and the development endpoints share it. */
export interface SandboxParts {
	settings: SandboxSettings;
	/** A basic-auth user name; any is accepted that is not empty. */
	sourceSystem: string;
	/** What to enter as the secret, both in the credential and for a webhook; nothing is decided by it. */
	webhookSecret: string;
	community: Community;
	recorder: Recorder;
	faults: Faults;
	rateLimit: RateLimit;
	webhooks: Webhooks;
	/** Aborts when the sandbox closes. */
	stopped: AbortSignal;
	/** Puts everything back to how it started. */
	reset: () => void;
}
