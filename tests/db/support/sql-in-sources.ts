import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The text of an SQL template before, between or after its values. A statement contains this text unchanged. */
export interface SqlPiece {
  file: string;
  line: number;
  text: string;
}

/** All SQL in `src`. */
export const sqlInSources = (): SqlPiece[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => piecesOf(join('src', file)));

function piecesOf(file: string): SqlPiece[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const pieces: SqlPiece[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const text of textsOf(node.template)) pieces.push({ file, line, text });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return pieces;
}

const textsOf = (template: ts.TemplateLiteral): string[] =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
