import { type Sql, sql } from '../../db/sql.ts';

/** The newest checkpoint of another log that this service has cosigned. */
export interface WitnessedRow {
  size: string;
  /** The root hash in base64. */
  root: string;
  /** The checkpoint with the signature of the log and the cosignature. */
  note: string;
}

export const selectWitnessed = (origin: string): Sql => sql`
  select audit_witnessed.size::text as size, audit_witnessed.root, audit_witnessed.note
  from latchkey.audit_witnessed where audit_witnessed.origin = ${origin}::text`;

/** A checkpoint to record, before its cosignature leaves the service. */
export interface Witnessed {
  origin: string;
  size: number;
  root: string;
  note: string;
}

/** Records the first checkpoint of a log. Returns no row if another process has recorded one. */
export const addWitnessed = ({ origin, size, root, note }: Witnessed): Sql => sql`
  insert into latchkey.audit_witnessed (origin, size, root, note, at)
  values (${origin}::text, ${`${size}`}::text::bigint, ${root}::text, ${note}::text, latchkey.clock())
  on conflict (origin) do nothing
  returning audit_witnessed.origin`;

/**
 * Records a checkpoint that continues the one that `before` describes. Returns no row if another process has recorded
 * another one in the meantime, which can be a fork. So the service never cosigns two forks.
 */
export const replaceWitnessed = (
  before: Pick<WitnessedRow, 'size' | 'root'>,
  { origin, size, root, note }: Witnessed,
): Sql => sql`
  update latchkey.audit_witnessed
  set size = ${`${size}`}::text::bigint, root = ${root}::text, note = ${note}::text, at = latchkey.clock()
  where audit_witnessed.origin = ${origin}::text
    and audit_witnessed.size = ${before.size}::text::bigint and audit_witnessed.root = ${before.root}::text
  returning audit_witnessed.origin`;
