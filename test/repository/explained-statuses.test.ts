import { explainAnswer } from '../../nodes/shared/transport/advice.ts';
import { READ } from '../../nodes/shared/transport/api.ts';
import { text } from '../support/shipped.mts';

/** The table in docs/failures.md about the statuses of answers. */
const [, found = ''] =
	/\| status \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(text('docs/failures.md')) ?? [];
const table = found.trim().split('\n');
/** One entry for each status of the table. */
const rows = table.flatMap((row) => {
	const [statuses, , advice] = row.split('|').slice(1);
	const isOfApi = !statuses.includes('without');
	const codes = statuses.match(/\d{3}/g) ?? [];
	return codes.map((code) => ({ status: Number(code), isOfApi, advice: advice.trim() }));
});
const isRedirect = (status: number) => status < 400 && status !== 304;

function advise(status: number, isOfApi: boolean): string {
	const body = isOfApi
		? { id: 'e1', status, time: '2026-01-02T03:04:05Z', message: 'ERR_V1: Not today' }
		: '';
	const answer = { statusCode: status, headers: {}, body };
	const request = { ...READ, path: '/boards', expects: 'acknowledgement' } as const;
	const api = { baseUrl: 'https://community.example.com', redact: (each: string) => each };
	const outcome = { kind: 'refused', isTransient: false, status } as const;
	return explainAnswer(request, answer, outcome, api).advice;
}

describe('the table of statuses in docs/failures.md', () => {
	it('begins with the lowest status, and names each one that has advice of its own', () => {
		const statuses = rows.map(({ status }) => status);
		const firsts = table.map((row) => Number(/\d{3}/.exec(row)?.[0]));
		expect(firsts).toEqual([...firsts].sort((one, other) => one - other));
		const all = Array.from({ length: 300 }, (_, at) => 300 + at);
		const usual = [advise(499, true), advise(599, true)];
		const special = all.filter((status) => !usual.includes(advise(status, true)));
		expect(special.filter((status) => !isRedirect(status) && !statuses.includes(status))).toEqual(
			[],
		);
	});

	it.each(rows)(
		'has the advice of the node for $status ($isOfApi)',
		({ status, isOfApi, advice }) => {
			expect(advise(status, isOfApi)).toBe(advice);
		},
	);
});
