import { AuthError, type InputFault } from '../core/errors.ts';

const deepest = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON text strictly: well-formed UTF-8, no duplicate keys. @throws AuthError `invalid_request` */
export function parseJson(bytes: Buffer): unknown {
  try {
    const text = strictUtf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    const duplicate = findDuplicateKey(text);
    if (duplicate !== null)
      throw invalid({ path: '', message: `duplicate key ${JSON.stringify(duplicate)}` });
    return value;
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw invalid({ path: '', message: 'expected well-formed JSON in UTF-8' });
  }
}

/**
 * Rejects values that no valid request contains: keys that can reach a prototype, NUL (which PostgreSQL cannot store),
 * lone surrogates (which UTF-8 cannot encode) and numbers that lose precision. It does not recurse, because the caller
 * controls the depth.
 *
 * @throws AuthError `invalid_request`
 */
export function assertPlainJson(value: unknown): void {
  const left: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { value, path, depth } = item;
    const fault = faultOf(value);
    if (fault !== null) throw invalid({ path, message: fault });
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= deepest) throw invalid({ path: '', message: `nested deeper than ${deepest} levels` });
    for (const [key, member] of Object.entries(value)) {
      const memberPath = path === '' ? key : `${path}.${key}`;
      if (forbiddenKeys.has(key) || faultOf(key) !== null) {
        throw invalid({ path: '', message: `the key ${JSON.stringify(key)} is not allowed` });
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
 * Finds the first key that occurs twice in one object of well-formed JSON, or returns null. JSON.parse silently uses the
 * last value, but a proxy in front may have read the first.
 */
function findDuplicateKey(text: string): string | null {
  /** The keys of each object that is open. Null: an array. */
  const open: (Set<string> | null)[] = [];
  let isBeforeKey = false;
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

/** The end of the string that starts at `start`: the first quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

export const invalid = (...errors: InputFault[]): AuthError => new AuthError('invalid_request', { errors });
