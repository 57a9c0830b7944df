export { answeredAt, isAcknowledgement, isEmpty, isRecord } from './answer';
export * from './api';
export { BASE_URL_EXPRESSION, normalizeBaseUrl } from './baseUrl';
export { Cancelled, Outdated } from './call';
export * from './client';
export * from './httpSettings';
