import * as v from 'valibot';
import { bounds } from '../core/bounds.ts';
import { displayName } from '../core/display-name.ts';
import { roles, userStatuses } from '../core/user.ts';
import { isCredentialId, isUserHandle } from '../passkeys/base64url.ts';
import type { ImportedUser } from './imported-user.ts';

const expected = (what: string) => `expected ${what}`;

const text = (what: string, isValid: (given: string) => boolean) =>
  v.pipe(v.string(expected(what)), v.check(isValid, expected(what)));

const flag = v.nullish(v.boolean(expected('true or false')));

/** Text of 1 to 64 characters. Returns it trimmed and normalized. */
const shortName = v.pipe(
  v.string(expected('text')),
  v.check((given) => displayName(given) !== null, expected('1 to 64 characters without control characters')),
  v.transform((given) => displayName(given) ?? given),
);

/** RFC 3339, section 5.6. */
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const time = v.pipe(
  text(
    'a time since 1970 in RFC 3339, such as 2024-01-02T03:04:05Z',
    (given) => rfc3339.test(given) && Date.parse(given) >= 0,
  ),
  v.transform((given) => new Date(given).toISOString()),
);

const userHandle = text('1 to 64 bytes as base64url without padding', isUserHandle);

const sourceId = text(
  '1 to 255 characters without control characters',
  (given) => given.isWellFormed() && /^\P{Cc}{1,255}$/u.test(given),
);

const largestCounter = 2 ** 32 - 1;

const passkey = v.strictObject(
  {
    credentialId: text('1 to 1023 bytes as base64url without padding', isCredentialId),
    publicKey: text('a COSE key as base64url without padding', (given) => /^[\w-]+$/.test(given)),
    counter: v.nullish(
      v.pipe(
        v.number(expected('a whole number')),
        v.integer(expected('a whole number')),
        v.minValue(0, expected('a counter of at least 0')),
        v.maxValue(largestCounter, expected(`a counter of at most ${largestCounter}`)),
      ),
    ),
    transports: v.nullish(
      v.pipe(
        v.array(
          text('the name of a transport', (given) => /^[a-z-]{1,32}$/.test(given)),
          expected('an array'),
        ),
        v.maxLength(bounds.transports, expected(`at most ${bounds.transports} transports`)),
      ),
    ),
    aaguid: v.nullish(
      text('a UUID', (given) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(given)),
    ),
    backupEligible: flag,
    backedUp: flag,
    label: v.nullish(shortName),
    userHandle: v.nullish(userHandle),
    createdAt: v.nullish(time),
    lastUsedAt: v.nullish(time),
  },
  (issue) => (issue.expected === 'never' ? 'this property is unknown' : expected('a passkey as an object')),
);

/** The form of a record. Later checks need the configuration and the database. */
const record = v.strictObject(
  {
    username: v.string(expected('text')),
    displayName: v.nullish(shortName),
    role: v.nullish(v.picklist(roles, expected('user or admin'))),
    status: v.nullish(v.picklist(userStatuses, expected('active or disabled'))),
    createdAt: v.nullish(time),
    sourceId: v.nullish(sourceId),
    fields: v.nullish(v.record(v.string(), v.unknown(), expected('an object'))),
    userHandle: v.nullish(userHandle),
    password: v.nullish(
      v.strictObject({ hash: v.string(expected('the hash as text')) }, expected('{ "hash": … }')),
    ),
    passkeys: v.nullish(
      v.pipe(
        v.array(passkey, expected('an array')),
        v.maxLength(bounds.passkeys, expected(`at most ${bounds.passkeys} passkeys`)),
      ),
    ),
  },
  (issue) => (issue.expected === 'never' ? 'this property is unknown' : expected('a user as a JSON object')),
);

export type ParsedUser = v.InferOutput<typeof record>;
export type ParsedPasskey = v.InferOutput<typeof passkey>;

/** Why a record has the wrong form. */
export interface RecordFault {
  /** Dotted path to the value. Empty: the record as a whole. */
  path: string;
  message: string;
}

/** Checks the form of a record, or of a line of NDJSON. */
export function parseRecord(given: unknown): { user: ParsedUser } | { fault: RecordFault } {
  if (typeof given !== 'string') return parseObject(given);
  if (given.length > bounds.importedUserCharacters)
    return faultOf(expected(`at most ${bounds.importedUserCharacters} characters`));
  let parsed: unknown;
  try {
    // A file can begin with a byte order mark.
    parsed = JSON.parse(given.replace(/^\uFEFF/, ''));
  } catch {
    // The message of the error can contain a part of the line, such as a password hash.
    return faultOf(expected('one user as a JSON object on one line'));
  }
  return parseObject(parsed);
}

function parseObject(given: unknown): { user: ParsedUser } | { fault: RecordFault } {
  const { success, output, issues } = v.safeParse(record, given, { abortEarly: true });
  if (success) return { user: output };
  const [issue] = issues;
  return faultOf(issue.message, v.getDotPath(issue) ?? '');
}

const faultOf = (message: string, path = '') => ({ fault: { path, message } });

// If the compiler reports this line, the public type and the schema differ.
type Accepted = v.InferInput<typeof record>;
true satisfies ImportedUser extends Omit<Accepted, 'passkeys'> & { passkeys?: unknown } ? true : false;
