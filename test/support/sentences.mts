import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');

/** Every text of more than one word in the published sources, with its file. */
export function sentences(): Array<{ file: string; text: string }> {
	return shippedNodes()
		.flatMap(({ file, node }) => textsOf(node).map((text) => ({ file, text })))
		.filter(({ text }) => /\S\s+\S/.test(text));
}

/** Every regular expression in the published sources. */
export function regularExpressions(): string[] {
	const nodes = shippedNodes().map(({ node }) => node);
	return nodes.filter(ts.isRegularExpressionLiteral).map((node) => node.getText());
}

function shippedNodes(): Array<{ file: string; node: ts.Node }> {
	return ['nodes', 'credentials'].flatMap(sourcesBelow).flatMap((file) => {
		const source = readFileSync(join(ROOT, file), 'utf8');
		const nodes: ts.Node[] = [ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)];
		// Grows during the loop.
		for (const node of nodes) node.forEachChild((child) => void nodes.push(child));
		return nodes.map((node) => ({ file, node }));
	});
}

function sourcesBelow(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name));
}

function textsOf(node: ts.Node): string[] {
	const isText =
		ts.isStringLiteral(node) ||
		ts.isNoSubstitutionTemplateLiteral(node) ||
		ts.isTemplateHead(node) ||
		ts.isTemplateMiddleOrTemplateTail(node);
	return isText ? [node.text] : [];
}
