import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const pages = fileURLToPath(new URL('../../examples/server/web', import.meta.url));
const files = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !path.startsWith('messages/'))
  .sort();

/** Texts that are the same in every language. */
const names = new Set(['Samsung Internet', 'Mac OS']);

const sources = new Map(
  files.map((path) => {
    const text = readFileSync(join(pages, path), 'utf8');
    const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    return [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)] as const;
  }),
);

const hasWord = (text: string) => /\p{L}{2}/u.test(text);
/** Whether the text begins like a sentence or a label, such as "Passkey added". */
const isSentence = (text: string) => /^\p{Lu}[\p{L}’]* [\p{L}\d]/u.test(text) && !names.has(text);
const visibleAttributes =
  /^(aria-(label|description|roledescription)|title|alt|placeholder|label|lead|what|confirm|summary|caption|text)$/;

/** The texts that a file shows but that are not from the message files. */
function textsOf(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && hasWord(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && visibleAttributes.test(node.name.getText()))
      for (const text of choicesOf(node.initializer)) if (hasWord(text)) found.push(text);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent))
      for (const text of choicesOf(node)) if (hasWord(text)) found.push(text);
    if (ts.isStringLiteralLike(node) && isSentence(node.text)) found.push(node.text);
    if (ts.isTemplateExpression(node) && isSentence(node.head.text)) found.push(node.getText());
    node.forEachChild(visit);
  };
  visit(source);
  return [...new Set(found)];
}

/** The texts that an expression can result in: a literal, or the branches of a condition. */
function choicesOf(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' '),
    ];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return choicesOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...choicesOf(node.whenTrue), ...choicesOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return choicesOf(node.right);
  return [];
}

test('the pages show only texts from the message files', () => {
  const texts = [...sources].flatMap(([path, source]) => textsOf(source).map((text) => `${path}: ${text}`));
  expect(texts).toEqual([]);
});

/** The areas of messages in each bundle. */
const areasIn = (bundle: string): string[] =>
  [...readFileSync(join(pages, `messages/${bundle}-en.ts`), 'utf8').matchAll(/\.\/en\/(\w+)\.json/g)].map(
    ([, area = '']) => area,
  );

/** The files that a file imports statically, itself included. */
function loadedWith(path: string, known = new Set<string>()): Set<string> {
  const source = sources.get(path);
  if (!source || known.has(path)) return known;
  known.add(path);
  for (const statement of source.statements) {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    if (!isImport || !statement.moduleSpecifier || isTypeOnly(statement)) continue;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
    if (specifier.startsWith('.')) loadedWith(relative(pages, join(pages, dirname(path), specifier)), known);
  }
  return known;
}

const isTypeOnly = (statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean =>
  ts.isImportDeclaration(statement)
    ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    : statement.isTypeOnly;

/** The keys of messages in a file. */
const keysOf = (path: string): string[] =>
  [...(sources.get(path)?.text ?? '').matchAll(/['"]([a-z]+)\.[a-z][a-zA-Z0-9]*['"]/g)]
    .filter(([, area = '']) =>
      ['visitor', 'link', 'console'].some((bundle) => areasIn(bundle).includes(area)),
    )
    .map(([key]) => key.slice(1, -1));

// These components need the messages of account recovery. LinkBanner renders nothing until they have loaded. Only pages
// that load them open CodesDialog.
const waiting = /^recovery\//;

test.each([
  ['app.tsx', ['visitor']],
  ['pages/link-pages.ts', ['visitor', 'link']],
])('%s and the files that it imports use only messages of the bundles %j', (entry, bundles) => {
  const areas = bundles.flatMap(areasIn);
  const loaded = [...loadedWith(entry)].filter((path) => entry !== 'app.tsx' || !waiting.test(path));
  expect(loaded.length).toBeGreaterThan(20);
  const others = loaded.flatMap((path) =>
    keysOf(path)
      .filter((key) => !areas.includes(key.split('.')[0] ?? ''))
      .map((key) => `${path}: ${key}`),
  );
  expect(others).toEqual([]);
});
