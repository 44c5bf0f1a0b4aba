import type { SqlFragment } from '../core/sign-up.ts';
import { Sql } from './sql.ts';

/**
 * A tag for SQL of the application, for `signUp.after`. Each `${value}` becomes a parameter of the statement, so values
 * cannot change the SQL text. A `${sql`…`}` becomes part of the text.
 *
 * @example sql`insert into profiles (user_id, name) values (${user.id}, ${user.username})`
 */
export const sql = (strings: readonly string[], ...values: readonly unknown[]): SqlFragment =>
  new Sql(strings, values);
