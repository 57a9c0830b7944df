import ts from 'typescript';
import { files, text } from './shipped.mts';

/** Every text of more than one word in the published sources, with its file. */
export function sentences(): Array<{ file: string; text: string }> {
	return files
		.flatMap((file) =>
			nodesOf(file).flatMap((node) => textOf(node).map((words) => ({ file, text: words }))),
		)
		.filter((each) => /\S\s+\S/.test(each.text));
}

function nodesOf(file: string): ts.Node[] {
	const nodes: ts.Node[] = [ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true)];
	// Grows during the loop.
	for (const node of nodes) node.forEachChild((child) => void nodes.push(child));
	return nodes;
}

function textOf(node: ts.Node): string[] {
	const isText =
		ts.isStringLiteral(node) ||
		ts.isNoSubstitutionTemplateLiteral(node) ||
		ts.isTemplateHead(node) ||
		ts.isTemplateMiddleOrTemplateTail(node);
	return isText ? [node.text] : [];
}
