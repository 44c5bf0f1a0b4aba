import { type Sql, sql } from '../../src/db/sql.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import type { Operation } from './support/operation.ts';
import type { World } from './support/world.ts';

/**
 * Statements that an operator can type in psql. Triggers must notify the other instances of them, too. They record no
 * event, so they only run with a second instance.
 */
export function typedStatementsOf({ auth, actors: { sue, usr } }: World): Operation[] {
  const { db } = runtimeOf(auth, 'typedStatementsOf');
  const typed = (name: string, statement: Sql): Operation => ({
    name: `psql ${name}`,
    target: 'psql',
    run: async () => {
      await db.query(statement);
      return { status: 'ok', body: null };
    },
  });
  return [
    typed('demotes sue', sql`update latchkey.users set role = 'user' where id = ${sue.id}::uuid`),
    typed('disables sue', sql`update latchkey.users set status = 'disabled' where id = ${sue.id}::uuid`),
    typed('disables usr', sql`update latchkey.users set status = 'disabled' where id = ${usr.id}::uuid`),
    typed('ends sessions of usr', sql`delete from latchkey.sessions where user_id = ${usr.id}::uuid`),
  ];
}
