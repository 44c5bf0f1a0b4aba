import type { SharedSignal } from './shared-signals.ts';

/** The type of a field in `details`. `uuid` and `time` (RFC 3339) are strings. */
export type DetailType = 'string' | 'integer' | 'boolean' | 'uuid' | 'time';

/** A field in `details` of an event. */
export interface DetailField {
  type: DetailType;
  about: string;
  /** Absent: every success has the field. */
  optional?: true;
  /** The value can be null. */
  nullable?: true;
}

/** What an event name means. The schemas and `docs/reference/audit-events.md` are generated from it. */
export interface EventConvention {
  /** When a success is recorded, or what was refused if the log records only refusals. */
  when: string;
  /** The type of the target of a success. Null: a success has no target. */
  target: string | null;
  /** The log records only refused attempts, because a success only reads. */
  onlyRefusals?: true;
  /** The log records the event only with the outcome `success`. */
  neverRefused?: true;
  /** The fields in `details` of a success. `details` of a refusal has other fields (see `refusalDetails`). */
  details?: Readonly<Record<string, DetailField>>;
  /** The corresponding events of the OpenID Shared Signals Framework. */
  signals?: readonly SharedSignal[];
}

export const text = (about: string) => ({ type: 'string', about }) as const;
export const integer = (about: string) => ({ type: 'integer', about }) as const;
export const flag = (about: string) => ({ type: 'boolean', about }) as const;
export const uuid = (about: string) => ({ type: 'uuid', about }) as const;
export const time = (about: string) => ({ type: 'time', about }) as const;
export const optional = (field: DetailField) => ({ ...field, optional: true }) as const;

export const nullable = (field: DetailField) => ({ ...field, nullable: true }) as const;

/** The fields in `details` of every refusal. */
export const refusalDetails: Readonly<Record<string, DetailField>> = {
  reason: text('Why the attempt was refused, in lowercase letters and underscores.'),
  firstAt: optional(time('The time of the first refusal. Only in an event that counts several refusals.')),
  lastAt: optional(time('The time of the last refusal. Only in an event that counts several refusals.')),
};
