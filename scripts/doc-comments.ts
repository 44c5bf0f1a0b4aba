import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * Reads the comments of a declaration without their tags, each as one line: for an interface by the names of its
 * members, for another type by its own name.
 */
export function commentsIn(path: string, name: string): Record<string, string> {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find(
    (node) => (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name,
  );
  if (!declaration) throw new TypeError(`${path} does not declare the type ${name}`);
  const nodes = ts.isInterfaceDeclaration(declaration) ? declaration.members : [declaration];
  return Object.fromEntries(nodes.map((node) => [(node as ts.TypeElement).name?.getText(), commentOf(node)]));
}

const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => `${ts.getTextOfJSDocComment(comment) ?? ''}`.replaceAll(/\s+/g, ' ').trim())
    .join(' ');
