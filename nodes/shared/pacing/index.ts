export { Limiter } from './limiter';
export type { Pauses } from './hold';
export type { Place, Verdict } from './limiter';
export { Stop } from './stop';
export { Turns } from './turns';
export type { Turn } from './turns';
export { unlessStopped, untilStopped, wait } from './wait';
