export { Limiter } from './limiter';
export type { Feedback, Pauses, Permit } from './limiter';
export { KeyedLock, recordLocks } from './lock';
export type { Lock } from './lock';
export { Deadline, Stop, untilStopped, wait } from './cancel';
