import * as v from 'valibot';

/** Text that a person wrote and others will read: trimmed, composed (NFC), 1 to 64 characters, none of control. */
export const shortText = v.pipe(
  v.string('expected a text'),
  // Before normalizing, which takes long for marks in great number.
  v.maxLength(1000, 'expected at most 64 characters'),
  v.transform((text) => text.normalize('NFC').trim()),
  v.minLength(1, 'expected at least 1 character'),
  v.check((text) => [...text].length <= 64, 'expected at most 64 characters'),
  v.regex(/^\P{Cc}*$/u, 'control characters are not allowed'),
);

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
