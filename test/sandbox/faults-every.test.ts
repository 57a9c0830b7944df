import fc from 'fast-check';
import { usePage } from './visitor.mts';

const { sandbox } = usePage();

it('a fault applies to every nth request after those that it lets pass', () => {
	const whole = (max: number) => fc.integer({ min: 1, max });
	fc.assert(
		fc.property(whole(5), fc.nat(4), fc.nat(6), whole(40), (every, after, times, requests) => {
			sandbox.faults.clear();
			sandbox.faults.add({ kind: 'cut', every, after, times, label: 'anything' });
			const befallen = Array.from({ length: requests }, (_, index) => index).filter(
				() => sandbox.faults.befall('GET', '/')?.answer !== undefined,
			);
			const due = Array.from({ length: times }, (_, index) => after + (index + 1) * every - 1);
			expect(befallen).toEqual(due.filter((index) => index < requests));
		}),
	);
	sandbox.faults.clear();
});
