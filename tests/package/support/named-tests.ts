import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('../../../', import.meta.url);

/** A test that a document names in the form `` `features/takeovers`: “a title”; “another title in the same file” ``. */
export interface NamedTest {
  /** The path below `tests/`, without `.test.ts`. */
  file: string;
  title: string;
}

export const readDocument = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const testsNamedIn = (text: string): NamedTest[] =>
  [...text.matchAll(/`([\w/-]+)`: (“[^”]+”(?:; “[^”]+”)*)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );

/**
 * Returns why a named test does not exist, or null. The title must be a complete string in the test file,
 * such as the title of a test, of a `describe`, or of a row in the table of a `test.each`.
 */
export function missing({ file, title }: NamedTest): string | null {
  const path = ['ts', 'tsx'].map((end) => `tests/${file}.test.${end}`).find(exists);
  if (!path) return `tests/${file}.test.ts does not exist`;
  return textsIn(path).has(title) ? null : `${path} has no test “${title}”`;
}

export const exists = (path: string): boolean => existsSync(new URL(path, root));

const known = new Map<string, ReadonlySet<string>>();

/** Returns the strings of a program, without its comments. */
function textsIn(path: string): ReadonlySet<string> {
  const texts = known.get(path) ?? readTexts(path);
  known.set(path, texts);
  return texts;
}

function readTexts(path: string): ReadonlySet<string> {
  const texts = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readDocument(path), ts.ScriptTarget.Latest));
  return texts;
}
