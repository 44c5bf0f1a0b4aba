import * as v from 'valibot';
import { hoursExpected, isLifetime, longestHours } from '../core/invitation-lifetime.ts';

/** Any text, which an operation judges. */
export const text = v.string('expected a text');

/** Text that a person wrote and others will read: trimmed, composed (NFC), 1 to 64 characters, none of control. */
export const shortText = v.pipe(
  text,
  // What checks in code decide on, in the document's terms; here and wherever else there is metadata.
  v.metadata({ minLength: 1, maxLength: 64 }),
  // Before normalizing, which takes long for marks in great number.
  v.check((given) => given.length <= 1000, 'expected at most 64 characters'),
  v.transform((given) => given.normalize('NFC').trim()),
  v.minLength(1, 'expected at least 1 character'),
  v.check((given) => [...given].length <= 64, 'expected at most 64 characters'),
  v.regex(/^\P{Cc}*$/u, 'control characters are not allowed'),
);

/** One of the given words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `expected ${listed(words)}`);

/** `"a", "b" or "c"` */
const listed = (words: readonly string[]): string => {
  const quoted = words.map((word) => `"${word}"`);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
};

/** Takes exactly the given members; anything else in the object is refused by its name. */
export const exactly = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, (issue) =>
    issue.expected === 'never'
      ? 'this member is not known'
      : issue.received === 'undefined'
        ? 'this member is required'
        : 'expected an object',
  );

export const nothing = exactly({});

/** How many hours an invitation can be accepted. */
export const invitationHours = v.pipe(
  v.number(hoursExpected),
  v.metadata({ type: 'integer', minimum: 1, maximum: longestHours }),
  v.check(isLifetime, hoursExpected),
);
