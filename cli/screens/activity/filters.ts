import { type AuditOutcome, type AuditSearch, auditEventNames } from 'latchkey';

export interface Filters {
  outcome?: AuditOutcome | undefined;
  /** The event prefix, such as `passkey.` */
  kind?: `${string}.` | undefined;
  /** The actor. */
  by?: Named | undefined;
  /** The target. */
  to?: Named | undefined;
}

interface Named {
  id: string;
  username: string;
}

export const outcomes = [undefined, 'success', 'failure'] as const;

export const kinds: readonly [undefined, ...`${string}.`[]] = [
  undefined,
  ...new Set(auditEventNames.map((name) => `${name.split('.')[0]}.` as const)),
];

export const searchOf = ({ outcome, kind, by, to }: Filters): AuditSearch => ({
  outcome,
  event: kind,
  actorId: by?.id,
  targetId: to?.id,
});

export const describeFilters = ({ outcome, kind, by, to }: Filters): string[] =>
  [kind, outcome, by && `actor ${by.username}`, to && `target ${to.username}`].filter(
    (text) => text !== undefined,
  );
