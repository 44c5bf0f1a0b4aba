import type { CommittedRow, PersonalField } from './entry.ts';

/** The form of the pseudonyms that `erase_user` writes. */
const pseudonymForm = /^erased:[0-9a-f]{16}$/;

/** Returns whether a value can be a pseudonym. */
export const isPseudonymForm = (value: unknown): value is string =>
  typeof value === 'string' && pseudonymForm.test(value);

/** Returns the value of a personal field. */
export function fieldIn(field: PersonalField, row: CommittedRow): unknown {
  const [, key] = field.split('.');
  if (key === undefined) return row[field as Exclude<PersonalField, `details.${string}`>];
  const details: unknown = JSON.parse(row.details);
  return (details as Record<string, unknown> | null)?.[key];
}
