import { type AuditOutcome, type AuditSearch, auditEventNames } from 'latchkey';

/** Filters of the audit log. */
export interface Filters {
  outcome?: AuditOutcome | undefined;
  /** The first part of event names, with its dot: `passkey.` */
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
  [kind, outcome, by && `by ${by.username}`, to && `to ${to.username}`].filter((text) => text !== undefined);
