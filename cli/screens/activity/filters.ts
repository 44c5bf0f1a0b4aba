import { type AuditOutcome, type AuditSearch, auditEventNames } from 'latchkey';

/** What of the activity is shown. */
export interface Filters {
  outcome?: AuditOutcome | undefined;
  /** A noun with its dot: `passkey.` */
  noun?: `${string}.` | undefined;
  /** Who did it. */
  by?: Named | undefined;
  /** Whom it was done to. */
  to?: Named | undefined;
}

interface Named {
  id: string;
  username: string;
}

export const outcomes = [undefined, 'success', 'failure'] as const;

export const nouns: readonly [undefined, ...`${string}.`[]] = [
  undefined,
  ...new Set(auditEventNames.map((name) => `${name.split('.')[0]}.` as const)),
];

export const searchOf = ({ outcome, noun, by, to }: Filters): AuditSearch => ({
  outcome,
  event: noun,
  actorId: by?.id,
  targetId: to?.id,
});

export const filterWords = ({ outcome, noun, by, to }: Filters): string[] =>
  [noun, outcome, by && `by ${by.username}`, to && `to ${to.username}`].filter(
    (words) => words !== undefined,
  );
