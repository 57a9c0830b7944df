import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector for OpenTelemetry gets it. */
export interface Span {
	name: string;
	/** As text, whatever their type. */
	attributes: Record<string, string>;
}

/** A collector on 127.0.0.1 that takes traces by OTLP over HTTP. */
export interface Collector {
	/** For `N8N_OTEL_EXPORTER_OTLP_ENDPOINT`. */
	endpoint: string;
	/** All that it was sent so far. */
	spans: Span[];
	close: () => Promise<void>;
}

/** Starts a collector. */
export async function startCollector(): Promise<Collector> {
	const spans: Span[] = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			if (request.method === 'POST') spans.push(...spansOf(body));
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts);
}

// ExportTraceServiceRequest, as far as it is looked at here (opentelemetry-proto, trace/v1/trace.proto).
function spansOf(body: Buffer): Span[] {
	const spans = inside(inside(inside([body], 1), 2), 2);
	return spans.map((span) => ({
		name: String(inside([span], 5)),
		attributes: Object.fromEntries(
			inside([span], 9).map((pair) => [
				String(inside([pair], 1)),
				inside([pair], 2).map(textOf).join(),
			]),
		),
	}));
}

// AnyValue: text, a truth value, a whole number or a fraction.
function textOf(value: Buffer): string {
	const [[number, content]] = fieldsOf(value);
	if (number === 2) return String(content === 1n);
	return typeof content === 'bigint' ? String(content) : content.toString();
}

// The parts of messages that have a length: texts, bytes and messages.
function inside(messages: Buffer[], field: number): Buffer[] {
	return messages
		.flatMap(fieldsOf)
		.flatMap(([number, content]) =>
			number === field && typeof content !== 'bigint' ? [content] : [],
		);
}

// The encoding of protocol buffers (https://protobuf.dev/programming-guides/encoding/).
function fieldsOf(message: Buffer): Array<[field: number, content: Buffer | bigint]> {
	const fields: Array<[number, Buffer | bigint]> = [];
	let at = 0;
	const varint = () => {
		let value = 0n;
		for (let shift = 0n; ; shift += 7n) {
			const byte = message[at++];
			value |= BigInt(byte & 127) << shift;
			if (byte < 128) return value;
		}
	};
	const bytes = (length: number) => message.subarray(at, (at += length));
	while (at < message.length) {
		const tag = Number(varint());
		const [field, type] = [tag >> 3, tag & 7];
		if (type === 0) fields.push([field, varint()]);
		else fields.push([field, bytes(type === 2 ? Number(varint()) : type === 1 ? 8 : 4)]);
	}
	return fields;
}
