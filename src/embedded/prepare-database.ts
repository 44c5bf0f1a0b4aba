import {
  DATABASE,
  FORMER_SUPERUSER,
  isWrongPassword,
  MAINTENANCE_DATABASE,
  OWNER,
  passwordOf,
  queryOnce,
  SERVICE,
  type ServerAccess,
  SUPERUSER,
  urlOf,
} from './connection.ts';
import { changeOwnersScript } from './upgrade-database.ts';

/**
 * Creates the roles and the database if they are missing: at the first start, after a start that was killed, and in a
 * database of an earlier version. The caller must hold the home's lock.
 *
 * The owner migrates. The service's role is also the role of the application, so it can create tables in the schema
 * `public`, and schemas. It gets its rights on the tables of the service after a migration (`migrationDatabase`).
 */
export async function prepareDatabase(access: ServerAccess): Promise<void> {
  await renameFormerSuperuser(access);
  const maintenance = urlOf(access, SUPERUSER, MAINTENANCE_DATABASE);
  await queryOnce(maintenance, [OWNER, SERVICE].map((role) => roleScript(role, access)).join('\n'));
  await createDatabase(maintenance);
  // The schema exists before the service starts. Otherwise, the service's role could create and own it.
  await queryOnce(
    urlOf(access, SUPERUSER),
    `${changeOwnersScript}
    create schema if not exists latchkey authorization ${OWNER};
    grant usage on schema latchkey to ${SERVICE};
    grant create on database ${DATABASE} to ${SERVICE};
    grant create on schema public to ${SERVICE};`,
  );
}

const roleScript = (role: string, { password }: ServerAccess): string => `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${role}') then
      create role ${role};
    end if;
  end
  $$;
  alter role ${role} login nosuperuser password '${passwordOf(role, password)}';`;

async function createDatabase(maintenance: string): Promise<void> {
  const existing = await queryOnce(maintenance, `select 1 from pg_database where datname = '${DATABASE}'`);
  if (existing === undefined) await queryOnce(maintenance, `create database ${DATABASE} owner ${OWNER}`);
}

/**
 * In a database of an earlier version, renames the superuser to its current name. A session cannot rename its
 * own user, so another superuser does this. Everything happens in one transaction.
 */
async function renameFormerSuperuser(access: ServerAccess): Promise<void> {
  try {
    await queryOnce(urlOf(access, SUPERUSER, MAINTENANCE_DATABASE), 'select 1');
  } catch (error) {
    if (!isWrongPassword(error)) throw error;
    await queryOnce(
      urlOf(access, FORMER_SUPERUSER, MAINTENANCE_DATABASE),
      `create role latchkey_upgrade superuser;
      set session authorization latchkey_upgrade;
      alter role ${FORMER_SUPERUSER} rename to ${SUPERUSER};
      set session authorization ${SUPERUSER};
      drop role latchkey_upgrade;`,
    );
  }
}
