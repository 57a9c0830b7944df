export { Limiter } from './queue';
export type { Feedback, Pauses, Permit } from './queue';
export { KeyedLock, recordLocks } from './lock';
export type { Lock } from './lock';
export { Cancellation, untilCancelled, wait } from './cancel';
