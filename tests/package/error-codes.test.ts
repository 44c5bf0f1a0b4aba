import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AuthError, type ErrorCode, errorTable } from 'latchkey';
import type { ServiceErrorCode } from 'latchkey/client';
import ts from 'typescript';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { readTable } from './support/markdown.ts';
import { sourcePaths } from './support/source-paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const codes = Object.keys(errorTable) as ErrorCode[];

describe('the table of errors', () => {
  test.each(codes)('has an error status and a one-sentence title for %s', (code) => {
    const { status, title } = errorTable[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z].*\.$/);
  });

  test.each(codes)('defines the status and the message of an error with the code %s', (code) => {
    const { status, title } = errorTable[code];
    const error = new AuthError(code);
    expect(error).toMatchObject({ name: 'AuthError', code, status, message: title });
    // Koa sends the message to the client only if `expose` is true.
    expect(error.expose).toBe(status < 500 || code === 'unavailable');
    expect(error.headers).toEqual(code === 'unavailable' ? { 'Retry-After': '1' } : {});
  });

  test('contains the same codes, statuses and texts as the README', () => {
    const rows = readTable(readFileSync(`${root}/README.md`, 'utf8'), 'Errors', 'code');
    const listed = rows.map((row) => [
      row.code?.replaceAll('`', ''),
      { status: Number(row.status), text: row['title, next step'] },
    ]);
    const wanted = codes.map((code) => {
      const { status, title, nextStep } = errorTable[code];
      return [code, { status, text: `${title} ${nextStep}` }];
    });
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
    expect(listed).toHaveLength(codes.length);
  });
});

/** Returns all string literals outside of types, and the codes of thrown errors. */
function valuesOf(source: string): { thrown: string[]; values: string[] } {
  const thrown: string[] = [];
  const values: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) values.push(node.text);
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'AuthError'
    ) {
      const [code] = node.arguments ?? [];
      if (code && ts.isStringLiteralLike(code)) thrown.push(code.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return { thrown, values };
}

test('the browser client knows exactly the codes that its calls can return', () => {
  expectTypeOf<Exclude<ServiceErrorCode, ErrorCode>>().toBeNever();
  expectTypeOf<Exclude<ErrorCode, ServiceErrorCode>>().toEqualTypeOf<
    | 'already_bootstrapped'
    | 'body_too_large'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'unsupported_media_type'
  >();
});

describe('the source code', () => {
  const service = sourcePaths(root, ['src']).filter(
    (path) => !/^src\/(client\/|core\/errors\.ts)/.test(path),
  );
  const found = service.map((path) => valuesOf(readFileSync(`${root}/${path}`, 'utf8')));

  test('throws only codes that are in the table', () => {
    const thrown = new Set(found.flatMap(({ thrown }) => thrown));
    expect(thrown.size).toBeGreaterThan(10);
    expect([...thrown].filter((code) => !codes.includes(code as ErrorCode))).toEqual([]);
  });

  test('uses every code of the table, except codes of planned features', () => {
    // Remove a code from this list when an endpoint returns it.
    const planned: ErrorCode[] = [];
    const values = new Set(found.flatMap(({ values }) => values));
    expect(codes.filter((code) => !values.has(code))).toEqual(planned);
  });

  test('is searched for codes in values and in thrown errors, but not in types and comments', () => {
    const { thrown, values } = valuesOf(`
      type Code = 'in_a_type'; // new AuthError('in_a_comment')
      const refuse = (code: 'in_a_signature') => { throw new AuthError('thrown', { reason: 'given' }); };
      refuse('passed'); throw new AuthError(taken ? 'one' : 'other');`);
    expect(thrown).toEqual(['thrown']);
    expect(values).toEqual(['thrown', 'given', 'passed', 'one', 'other']);
  });
});

test('readTable reads the first matching table under the heading', () => {
  const page = [
    '## Other errands',
    '| code | status |',
    '|---|---|',
    '| `no` | 1 |',
    '### Errors',
    'Words.',
    '| Code | Status | Meaning |',
    '|---|--:|---|',
    '| `one` | 400 | a \\| b |',
    '| `two` | 500 | c |',
    '',
    '| `three` | 500 | of another table |',
    '## Next',
  ].join('\n');
  expect(readTable(page, 'Errors', 'code')).toEqual([
    { code: '`one`', status: '400', meaning: 'a | b' },
    { code: '`two`', status: '500', meaning: 'c' },
  ]);
  expect(() => readTable(page, 'Warnings', 'code')).toThrow('no table');
});
