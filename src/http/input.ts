import * as v from 'valibot';
import { bounds } from '../core/bounds.ts';
import { isUuid } from '../core/identifiers.ts';
import { hoursExpected, isLifetime, longestHours } from '../core/invitation-lifetime.ts';
import { reasonExpected, statedReason } from '../core/stated-reason.ts';

/** Any string. The operation checks the content. */
export const text = v.string('expected a string');

/** A label or a name: trimmed, normalized (NFC), 1 to 64 characters, without control characters. */
export const shortText = v.pipe(
  text,
  // The OpenAPI document shows these limits. It is created from metadata, not from the code of the checks.
  v.metadata({ minLength: 1, maxLength: 64 }),
  // Limits the length first, because normalizing many combining marks is slow.
  v.check((given) => given.length <= 1000, 'expected at most 64 characters'),
  v.transform((given) => given.normalize('NFC').trim()),
  v.minLength(1, 'expected at least 1 character'),
  v.check((given) => [...given].length <= 64, 'expected at most 64 characters'),
  v.regex(/^\P{Cc}*$/u, 'control characters are not allowed'),
);

/** The reason that an administrator states for an action on a user. */
export const reasonText = v.pipe(
  text,
  v.metadata({ minLength: 1, maxLength: bounds.statedReasonCharacters }),
  v.check((given) => statedReason(given) !== null, reasonExpected),
  v.transform((given) => statedReason(given) ?? ''),
);

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `expected ${listed(words)}`);

/** Returns `"a", "b" or "c"`. */
export const listed = (words: readonly string[]): string => {
  const quoted = words.map((word) => `"${word}"`);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
};

/** An object with these properties only. The errors name only the first unknown property. */
export const exactly = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'this property is unknown'
      : issue.received === 'undefined'
        ? 'this property is required'
        : 'expected an object',
  );

export const nothing = exactly({});

export const invitationHours = v.pipe(
  v.number(hoursExpected),
  v.metadata({ type: 'integer', minimum: 1, maximum: longestHours }),
  v.check(isLifetime, hoursExpected),
);

/** A UUID in a query. */
export const idText = (description: string) =>
  v.pipe(
    v.string('expected a single id'),
    v.metadata({ format: 'uuid', description }),
    v.check(isUuid, 'expected a UUID'),
  );
