import { raiseStages } from './stage.mts';

/** Called by Jest before the first file. */
export default async function setup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	await raiseStages(maxWorkers);
}
