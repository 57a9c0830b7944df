export { answeredAt, isAcknowledgement, isEmpty, isRecord } from './answer';
export * from './api';
export { BASE_URL_EXPRESSION, normalizeBaseUrl } from './baseUrl';
export { Cancelled } from './call';
export * from './client';
export * from './httpSettings';
