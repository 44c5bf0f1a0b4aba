import { hostname, userInfo } from 'node:os';
import type { TestDatabase } from '../../../support/test-database.ts';
import type { AuditRow } from '../../../support/test-service.ts';
import { commandsOn, type Ended } from './command.ts';

export const password = 'a wet towel in Oslo';
/** The environment variables of a bootstrap. */
export const credentials = { BOOTSTRAP_ADMIN_USERNAME: 'ada', BOOTSTRAP_ADMIN_PASSWORD: password };

/** The name of the operator in the audit log. It is the name of the system user who runs the tests. */
export const operator = `${userInfo().username}@${hostname()}`;

export const bootstrapOn = (
  database: TestDatabase,
  line = '',
  env: Record<string, string> = credentials,
): Promise<Ended> => commandsOn(() => database)(`bootstrap ${line}`, env);

export const countOf = async (
  { sql }: TestDatabase,
  table: 'users' | 'bootstrap' | 'recovery_links',
): Promise<number> => {
  const [row] = await sql`select count(*)::int as count from latchkey.${sql(table)}`;
  return row?.count;
};

export const superadminsOf = ({ sql }: TestDatabase) =>
  sql`select username, status, password_hash is not null as password from latchkey.users where role = 'superadmin'`;

/** Returns the audit events with this name, oldest first. */
export const eventsOf = ({ sql }: TestDatabase, event: string) =>
  sql<AuditRow[]>`select * from latchkey.audit_events where event = ${event} order by at, id`;
