import type { Statement } from 'latchkey';
import type { Effects } from './effects.ts';
import type { Run } from './scheduler.ts';

/** What a step of a schedule did. */
export interface Executed {
  statement: Statement;
  effects: Effects;
  /** The number of rows in the result, or the error. */
  result: number | Error;
}

/** Runs the steps of a schedule on PostgreSQL, and restores the data after each schedule. */
export interface Backend {
  /** Whether two statements can run at the same time. */
  readonly overlaps: boolean;
  begin(): Promise<void>;
  /** Runs the next statement of one operation. */
  step(run: Run<unknown>): Promise<Executed>;
  /** Runs the next statements of two operations. The second one starts before the first one has committed. */
  overlap?(first: Run<unknown>, second: Run<unknown>): Promise<[Executed, Executed]>;
  /** Reads the rows of these tables, each as JSON. */
  rowsOf(tables: readonly string[]): Promise<{ name: string; row: string }[]>;
  /** Reads the column `name`. */
  namesOf(query: string): Promise<string[]>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A session of an earlier epoch has ended, although its row still exists. An impersonated session also ends if its
 * superadmin loses the role.
 */
const isLive: Record<string, string> = {
  sessions: `
    where (select session_epoch from latchkey.users where users.id = user_id) in (epoch, -1 - epoch)
      and (impersonator_id is null or exists (
        select from latchkey.users
        where users.id = impersonator_id and role = 'superadmin' and status = 'active'
          and session_epoch = impersonator_epoch))`,
};

/** The text of the statement for `rowsOf`. */
export const selectRows = (tables: readonly string[]): string =>
  tables
    .map(
      (table) =>
        `select '${table}' as name, to_jsonb(t)::text as row from latchkey.${table} as t ${isLive[table] ?? ''}`,
    )
    .join(' union all ');

/** Without parameters, postgres.js prepares a statement only with `simple`, which its types do not contain. */
export const prepared = { prepare: true, simple: false };
