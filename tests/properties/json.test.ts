import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertPlainJson, parseJson } from '../../src/http/json.ts';
import { forAll, wellFormedText } from './support/for-all.ts';

const read = (text: string): unknown => {
  const value = parseJson(Buffer.from(text));
  assertPlainJson(value);
  return value;
};
const isRefused = (text: string): boolean => {
  try {
    read(text);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return true;
  }
};

const key = wellFormedText(8).filter(
  (text) => !text.includes('\0') && !['__proto__', 'constructor', 'prototype'].includes(text),
);
const leaf = fc.oneof(key, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const { value: plain } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Writes each character as itself or as an escape. */
const spelled = (text: string, escapes: readonly boolean[]): string =>
  `"${Array.from({ length: text.length }, (_, at) => {
    const plainly = JSON.stringify(text[at]).slice(1, -1);
    return escapes[at % escapes.length] ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}` : plainly;
  }).join('')}"`;

test('every plain JSON value is read as it was written, with any white space', () => {
  forAll([plain, fc.constantFrom('', ' ', '\t', '\r\n')], (value, space) => {
    expect(read(`${space}${JSON.stringify(value, null, space)}${space}`)).toEqual(value);
  });
});

test('an object with the same key twice is refused, however the key is spelled and wherever the object is', () => {
  const escapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
  forAll([key, escapes, escapes, plain, plain], (name, one, other, before, between) => {
    // Characters outside of the Basic Multilingual Plane have two escapes.
    const twice = `{${spelled(name, one)}:${JSON.stringify(between)}, ${spelled(name, other)}:1}`;
    expect(isRefused(`[${JSON.stringify(before)},${twice}]`)).toBe(true);
    expect(isRefused(`{"a":${twice},"b":1}`)).toBe(true);
  });
});

test('objects in an array can have the same keys', () => {
  forAll([key, plain], (name, value) => {
    const text = JSON.stringify(value);
    expect(isRefused(`[{${JSON.stringify(name)}:${text}},{${JSON.stringify(name)}:${text}}]`)).toBe(false);
  });
});

test('a forbidden key is refused at every depth', () => {
  const forbidden = fc.constantFrom('__proto__', 'constructor', 'prototype');
  forAll([forbidden, fc.nat(20), fc.array(fc.boolean(), { minLength: 1 })], (name, depth, escapes) => {
    const inner = `{${spelled(name, escapes)}:{"role":"superadmin"}}`;
    expect(isRefused(`${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`)).toBe(true);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });
});

test('bytes that are not JSON are refused', () => {
  forAll([fc.uint8Array({ maxLength: 30 })], (bytes) => {
    let isJson = true;
    try {
      JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      isJson = false;
    }
    if (!isJson) expect(() => parseJson(Buffer.from(bytes))).toThrow();
  });
});
