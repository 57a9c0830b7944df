import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');

/** Every text of more than one word in the published sources, with the file it stands in. */
export function sentences(): Array<{ file: string; text: string }> {
	return ['nodes', 'credentials'].flatMap(sourcesBelow).flatMap((file) => {
		const source = readFileSync(join(ROOT, file), 'utf8');
		return textsOf(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
			.filter((text) => /\S\s+\S/.test(text))
			.map((text) => ({ file, text }));
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
	const texts = isText ? [node.text] : [];
	node.forEachChild((child) => {
		texts.push(...textsOf(child));
	});
	return texts;
}
