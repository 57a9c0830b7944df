import { start } from '../../dev/tools/processes.mts';

// Starts a program with a child of its own, says in which process group, and stays.
const program = await start(['sh', '-c', 'sleep 600 & wait'], 'inherit');
console.log(program.pid);
await program.exited;
