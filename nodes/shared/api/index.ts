export { normalizeBaseUrl, addressKey, BASE_URL_EXPRESSION } from './baseUrl';
export { call, Stopped } from './call';
export { CREDENTIAL, API_PATH, MAX_PAGE_SIZE } from './constants';
export type { CommunityPlatformCredential } from './constants';
export { toHttpSettings } from './httpSettings';
export { textOf, toLogin } from './login';
export { RunApis, logHindrance, openApi } from './open';
export type { Api, CallingFunctions } from './open';
export { userAgent } from './userAgent';
