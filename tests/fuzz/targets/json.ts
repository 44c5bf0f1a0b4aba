import { isDeepStrictEqual } from 'node:util';
import { AuthError } from '../../../src/core/errors.ts';
import { assertPlainJson, parseJson } from '../../../src/http/json.ts';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';

/** Request bodies: the check of the text, and the check of the parsed value. */
export const json: FuzzTarget = {
  name: 'json',
  maxBytes: 8192,
  dictionary: [
    '{"a":1,"a":2}',
    '"a":',
    '"\\u0061":',
    '"__proto__":',
    '"constructor":{"prototype":{"role":1}}',
    '\\"',
    '\\\\"',
    '\\u0000',
    '\\ud800',
    '[[[[[[[[[[[[',
    ']]]]]]]]]]]]',
    '9007199254740993',
    '1e999',
    '-0',
    'true',
    'null',
    '\ufeff',
    '\u2028',
    ',',
    ':',
    '{',
    '}',
    '\n',
  ],
  seeds: () =>
    [
      '{"username":"ada","displayName":"Ada Lovelace","values":[1,-2.5e3,true,false,null,"\\u00e9"]}',
      '{"credential":{"id":"YQ","type":"public-key","response":{"a":"b"},"clientExtensionResults":{}}}',
      '[{"a":{"a":{"a":[]}}},{"a":"\\"}{\\\\"}]',
      '"text"',
      ' { "a" : "," , "b" : ":" } ',
    ].map((text) => Buffer.from(text)),
  run: (input) => {
    const accepted = acceptedValue(Buffer.from(input));
    assertHolds(({} as { role?: unknown }).role === undefined, 'changed the prototype of all objects');
    if (accepted === null) return;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(input);
    assertHolds(isDeepStrictEqual(accepted.value, JSON.parse(text)), 'parsed another value');
    assertHolds(!hasDuplicateKey(text), 'accepted a duplicate key');
    assertHolds(!hasForbiddenKey(accepted.value), 'accepted a forbidden key');
  },
};

/** Returns the value, or null if it was refused. */
function acceptedValue(bytes: Buffer): { value: unknown } | null {
  try {
    const value = parseJson(bytes);
    assertPlainJson(value);
    return { value };
  } catch (error) {
    if (error instanceof AuthError && error.code === 'invalid_request') return null;
    throw error;
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}]/gs;

/** Whether an object has the same key twice. Works with a regular expression, unlike the package. */
function hasDuplicateKey(text: string): boolean {
  const objects: Set<string>[] = [];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (/^\s*:/.test(text.slice(index + token.length))) {
      const key: string = JSON.parse(token);
      const keys = objects.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}

/** Whether an object at any depth has a key that can change a prototype. */
const hasForbiddenKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (['__proto__', 'constructor', 'prototype'].some((key) => Object.hasOwn(value, key)) ||
    Object.values(value).some(hasForbiddenKey));
