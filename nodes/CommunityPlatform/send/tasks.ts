import type { Field } from '../operation/field';
import { fieldsOfVersion } from '../operation/field';
import type { Operation } from '../operation/operation';
import type { Task } from './batch';
import { taskOf } from './batch';

/** What is done with each item, by the version of the node (n8n-workflow, `INode.typeVersion`). */
export type Tasks = (version: number) => Task;

/**
 * Prepares an operation for every version of the node: each reads, keeps and sends the fields that it has.
 *
 * @param fields the operation's parameters, those included that it shares with others
 * @throws Error when a field of any version says something that is not supported here
 */
export function tasksOf(operation: Operation, fields: Field[]): Tasks {
	taskOf(operation, fields);
	const prepared = new Map<number, Task>();
	return (version) => {
		const task = prepared.get(version) ?? ofVersion(operation, fields, version);
		prepared.set(version, task);
		return task;
	};
}

function ofVersion(operation: Operation, fields: Field[], version: number): Task {
	const own = { ...operation, fields: fieldsOfVersion(operation.fields, version) };
	return taskOf(own, fieldsOfVersion(fields, version));
}
