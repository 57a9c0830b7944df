// The linted test files are not allowed to import Node's modules, which nodes cannot use in n8n's cloud.
export { BlockList, isIP, isIPv4 } from 'node:net';
