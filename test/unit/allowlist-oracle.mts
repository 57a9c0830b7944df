// The linted test files may not import Node's modules, which nodes cannot use in n8n's cloud.
export { BlockList, isIP, isIPv4 } from 'node:net';
