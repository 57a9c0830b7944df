export { hasMore, isAcknowledgement, isEmpty, isRecord } from './answer';
export type { HttpAnswer } from './answer';
export * from './api';
export { BASE_URL_EXPRESSION, normalizeBaseUrl } from './baseUrl';
export { Cancelled, call } from './call';
export * from './failure';
export * from './request';
export * from './requestOptions';
