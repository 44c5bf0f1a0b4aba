import { bounds } from '../core/bounds.ts';
import { AuthError, type InputFault } from '../core/errors.ts';
import { shortened } from '../core/shortened.ts';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON. Rejects malformed UTF-8 and duplicate keys. @throws AuthError `invalid_request` */
export function parseJson(bytes: Buffer): unknown {
  try {
    const text = strictUtf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    const duplicate = findDuplicateKey(text);
    if (duplicate !== null) throw invalid({ path: '', message: `duplicate key ${quoted(duplicate)}` });
    return value;
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw invalid({ path: '', message: 'expected well-formed JSON in UTF-8' });
  }
}

/**
 * Rejects values that no valid request contains:
 *
 * - keys that can change an object's prototype
 * - NUL characters, which PostgreSQL cannot store
 * - lone surrogates, which UTF-8 cannot encode
 * - numbers beyond ±(2^53 - 1), which can lose precision
 * - more than 32 nested levels
 * - more than 1,000 values, because checking each of them takes time
 *
 * Does not use recursion, because a deeply nested value could exhaust the stack.
 *
 * @throws AuthError `invalid_request`
 */
export function assertPlainJson(value: unknown): void {
  const left: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  let values = 1;
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { value, path, depth } = item;
    const fault = faultOf(value);
    if (fault !== null) throw invalid({ path, message: fault });
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= bounds.bodyLevels) throw tooMany(bounds.bodyLevels, 'nested levels');
    // Counts the members before it looks at any of them.
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > bounds.bodyValues) throw tooMany(bounds.bodyValues, 'values');
    for (const [key, member] of Object.entries(value)) {
      const memberPath = path === '' ? key : `${path}.${key}`;
      if (forbiddenKeys.has(key) || faultOf(key) !== null) {
        throw invalid({ path: '', message: `the key ${quoted(key)} is not allowed` });
      }
      left.push({ value: member, path: memberPath, depth: depth + 1 });
    }
  }
}

function faultOf(value: unknown): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'NUL characters are not allowed';
    if (!value.isWellFormed()) return 'expected well-formed Unicode';
  }
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    return 'the number is too large';
  return null;
}

/**
 * Returns the first key that an object in well-formed JSON contains twice, or null. `JSON.parse` uses the last value
 * without an error, but a proxy that checks requests can use the first value.
 */
function findDuplicateKey(text: string): string | null {
  /** One item for each object or array that contains the current position: the object's keys, or null for an array. */
  const open: (Set<string> | null)[] = [];
  let isBeforeKey = false;
  let keysRead = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
        open.push(new Set());
        isBeforeKey = true;
        break;
      case '[':
        open.push(null);
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        isBeforeKey = open.at(-1) !== null;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isBeforeKey) {
          keysRead += 1;
          // `assertPlainJson` rejects a body with so many values.
          if (keysRead > bounds.bodyValues) return null;
          const key: string = JSON.parse(text.slice(at, end + 1));
          const keys = open.at(-1);
          if (keys?.has(key)) return key;
          keys?.add(key);
          isBeforeKey = false;
        }
        at = end;
      }
    }
  }
  return null;
}

/**
 * Returns the position of the quote that ends a string. `start` is the position of the string's first quote. A quote
 * ends the string if the number of backslashes directly before the quote is even (0, 2, 4, ...).
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** The error of an invalid request. Shortens the names, so that the response stays small. */
export const invalid = (...faults: InputFault[]): AuthError =>
  new AuthError('invalid_request', {
    errors: faults.map(({ path, message }) => ({ path: shortened(path, bounds.quotedCharacters), message })),
  });

const tooMany = (most: number, what: string): AuthError =>
  invalid({ path: '', message: `expected at most ${most} ${what}` });

const quoted = (key: string): string => JSON.stringify(shortened(key, bounds.quotedCharacters));
