import type { TestProject } from 'vitest/node';
import { raiseStages } from './stage.mts';

export { strikeStages as teardown } from './stage.mts';

export async function setup({ config }: TestProject): Promise<void> {
	await raiseStages(config.maxWorkers);
}
