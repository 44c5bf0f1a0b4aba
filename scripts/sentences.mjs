// Extracts the sentences of a file: comments, strings of several words, and text in JSX and HTML.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ line: number, kind: 'comment' | 'text', text: string }} Sentence `line` counts from 1.
 * @param {string} path
 * @returns {Sentence[]}
 */
export function sentencesOf(path) {
  const source = readFileSync(path, 'utf8');
  return /^\.(ts|tsx|mjs|js)$/.test(extname(path)) ? ofProgram(path, source) : ofText(source);
}

function ofText(source) {
  return source
    .split('\n')
    .map((text, index) => ({ line: index + 1, kind: 'text', text: text.trim() }))
    .filter(({ text }) => text !== '');
}

function ofProgram(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const found = new Map();
  const add = (position, kind, text) => {
    if (/\S\s+\S/.test(text)) found.set(position, { line: lineAt(position), kind, text });
  };
  const addComments = (ranges) => {
    for (const { pos, end } of ranges ?? []) add(pos, 'comment', source.slice(pos, end));
  };
  const visit = (node) => {
    addComments(ts.getLeadingCommentRanges(source, node.getFullStart()));
    addComments(ts.getTrailingCommentRanges(source, node.getEnd()));
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node))
      add(node.getStart(file), 'text', node.getText(file));
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...found.values()].sort((one, other) => one.line - other.line);
}
