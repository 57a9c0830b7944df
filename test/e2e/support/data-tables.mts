import type { N8nClient } from '../../../dev/n8n/client.mts';

interface DataTable {
	id: string;
	name: string;
	projectId: string;
}

/** A row, including n8n's fields `id`, `createdAt` and `updatedAt`. */
export type Row = Record<string, unknown> & { id: number };

/** The rows of a data table of n8n, sorted by ID. Undefined if the table does not exist. */
export async function rowsOf(client: N8nClient, name: string): Promise<Row[] | undefined> {
	const path = await pathOf(client, name);
	if (path === undefined) return undefined;
	const query = { take: 250, sortBy: 'id:asc' };
	return (await client.call<{ data: Row[] }>('GET', `${path}/rows`, undefined, query)).data;
}

/** Changes a row, like a person who edits one of its cells. */
export async function changeRow(
	client: N8nClient,
	name: string,
	id: number,
	data: object,
): Promise<void> {
	const path = `${await pathOf(client, name)}/rows`;
	await client.call('PATCH', path, { filter: only(id), data });
}

/** Deletes a row. */
export async function deleteRow(client: N8nClient, name: string, id: number): Promise<void> {
	const path = `${await pathOf(client, name)}/rows`;
	await client.call('DELETE', path, undefined, { filter: JSON.stringify(only(id)) });
}

function only(id: number) {
	return { type: 'and', filters: [{ columnName: 'id', condition: 'eq', value: id }] };
}

/** Adds rows to a data table from a CSV file with the names of columns in its first line, like *Import CSV* in the editor. */
export async function importCsv(client: N8nClient, name: string, csv: string): Promise<void> {
	const form = new FormData();
	form.set('hasHeaders', 'true');
	form.set('file', new Blob([csv], { type: 'text/csv' }), 'rows.csv');
	const { id: fileId } = await client.call<{ id: string }>('POST', '/data-tables/uploads', form);
	await client.call('POST', `${await pathOf(client, name)}/import-csv`, { fileId });
}

/** Adds a column of texts to a data table. */
export async function addColumn(client: N8nClient, table: string, name: string): Promise<void> {
	await client.call('POST', `${await pathOf(client, table)}/columns`, { name, type: 'string' });
}

/** Deletes the data table with the name, if it exists. */
export async function deleteTable(client: N8nClient, name: string): Promise<void> {
	const path = await pathOf(client, name);
	if (path !== undefined) await client.call('DELETE', path);
}

async function pathOf(client: N8nClient, name: string): Promise<string | undefined> {
	const found = await client.call<{ data: DataTable[] }>('GET', '/data-tables-global', undefined, {
		filter: JSON.stringify({ name }),
	});
	// n8n's search also matches parts of names.
	const table = found.data.find((each) => each.name === name);
	return table && `/projects/${table.projectId}/data-tables/${table.id}`;
}
