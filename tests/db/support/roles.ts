import { openSchema } from 'latchkey';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** A database with two roles: one owns the schema, and the service connects with the other. */
export interface DatabaseWithRoles {
  database: TestDatabase;
  /** The names of the roles. */
  owner: string;
  service: string;
  ownerUrl: string;
  serviceUrl: string;
  /** A connection with the role of the service. An attacker who controls the service has the same rights. */
  attacker: Sql;
  drop(): Promise<void>;
}

export const newRole = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

export function urlAs(url: string, role: string, password = 'of its own'): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}

/** Creates an empty database with both roles, migrates it as the owner, and gives the service's role its rights. */
export async function createDatabaseWithRoles(): Promise<DatabaseWithRoles> {
  const database = await createTestDatabase({ empty: true });
  const [owner, service] = [newRole('owner'), newRole('service')];
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`
    create role ${owner} login password 'of its own';
    create role ${service} login password 'of its own';
    alter database ${name} owner to ${owner};`);
  const [ownerUrl, serviceUrl] = [urlAs(database.url, owner), urlAs(database.url, service)];
  const schema = openSchema(ownerUrl);
  await schema.migrate({ serviceRole: service });
  await schema.close();
  const attacker = postgres(serviceUrl, { max: 1, onnotice: () => {} });
  return {
    database,
    owner,
    service,
    ownerUrl,
    serviceUrl,
    attacker,
    drop: async () => {
      await attacker.end();
      await database.drop();
      await dropRoles(owner, service);
    },
  };
}

/** Drops roles that own nothing and have no rights in any database that still exists. */
export async function dropRoles(...roles: string[]): Promise<void> {
  const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
  await admin.unsafe(roles.map((role) => `drop role ${role};`).join(' '));
  await admin.end();
}

/** Returns the rights of a role on each table of the schema, such as `sessions: delete, insert, select, update`. */
export async function rightsOf(sql: Sql, role: string): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select format('%s: %s', relname, string_agg(lower(privilege_type), ', ' order by privilege_type)) as line
    from pg_class, aclexplode(relacl) as granted
    where relnamespace = 'latchkey'::regnamespace and grantee = ${role}::regrole
    group by relname order by relname`;
  return rows.map(({ line }) => line);
}
