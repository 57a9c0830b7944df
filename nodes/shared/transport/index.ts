export { answeredAt, isAcknowledgement, isEmpty, isRecord } from './answer';
export type { HttpAnswer } from './answer';
export * from './api';
export { BASE_URL_EXPRESSION, normalizeBaseUrl } from './baseUrl';
export { Cancelled } from './call';
export * from './client';
export * from './request';
export * from './requestOptions';
