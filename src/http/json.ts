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
      throw invalid({ path: '', message: `the key ${JSON.stringify(duplicate)} stands twice` });
    return value;
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw invalid({ path: '', message: 'expected well-formed JSON in UTF-8' });
  }
}

/**
 * Refuses what no request of ours holds and some part behind us would stumble over: keys that reach a prototype,
 * NUL (PostgreSQL has no such character), lone surrogates (they turn into another text), numbers that lost digits.
 * Walks without recursion: depth is the sender's to choose.
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
 * The first key that stands twice in one object of a JSON text that is known to be well-formed, or null. JSON.parse
 * keeps the last of them in silence, where a proxy before us may have read the first.
 */
function findDuplicateKey(text: string): string | null {
  /** The keys of each object that is open, null for an array. */
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

/** Where the string that begins at `start` ends: at the first quote after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}

/** The error for input that is not of the expected form. */
export const invalid = (...errors: InputFault[]): AuthError => new AuthError('invalid_request', { errors });
