import { join } from 'node:path';
import { start } from '../../dev/tools/processes.mts';
import { temporaryFolder } from '../../dev/tools/temporary-folder.mts';

// Starts a program with a child of its own, says what there is, and stays, or fails.
const folder = await temporaryFolder('starter');
const program = await start(['sh', '-c', 'sleep 600 & wait'], join(folder.path, 'log'));
console.log(JSON.stringify({ group: program.pid, folder: folder.path }));
if (process.argv[2] === 'throw') throw new Error('unexpected');
await program.exited;
