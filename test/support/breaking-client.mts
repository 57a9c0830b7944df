import { Socket } from 'node:net';
import { serve } from './servers.mts';

/**
 * A server whose first answer never arrives, because the client's connection breaks once the whole
 * request is there, as it does when a router reports that the host is unreachable.
 *
 * @param code of the system error
 */
export async function breakingClient(code: string) {
	const sockets: Socket[] = [];
	const original = Socket.prototype.connect;
	Socket.prototype.connect = function (this: Socket, ...given: never[]) {
		sockets.push(this);
		return original.apply(this, given as never);
	} as never;
	let posts = 0;
	const server = await serve((request, response) => {
		request.resume();
		request.on('end', () => {
			posts++;
			if (posts > 1) return void response.writeHead(201).end('{}');
			const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
			sockets.find(({ localPort }) => localPort === request.socket.remotePort)?.destroy(error);
		});
	});
	return {
		origin: server.origin,
		posts: () => posts,
		async close() {
			Socket.prototype.connect = original;
			await server.close();
		},
	};
}
