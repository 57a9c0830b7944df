export { Limiter } from './limiter';
export type { Pauses } from './hold';
export type { Permit, Feedback } from './limiter';
export { Stop } from './stop';
export { KeyedLock } from './keyedLock';
export type { Lock } from './keyedLock';
export { unlessStopped, untilStopped, wait } from './wait';
