import type { Database } from '../core/database.ts';
import { migrationLock, safePath } from './apply-migration.ts';
import { migrations, newestOf } from './migrate.ts';
import { SchemaError } from './schema-error.ts';
import { Script, sql } from './sql.ts';
import { isRefused } from './sql-states.ts';

const all = 'select, insert, update, delete';

/**
 * The rights of the service's role on each table of the schema. The role has only the rights that the
 * statements of the service need, so an attacker with this role cannot change the audit log. A row lock (`for
 * update`) needs `update`. `references` is for foreign keys of the application's tables, if the role owns these tables.
 */
export const serviceRights: Readonly<Record<string, string>> = {
  active_user_counts: 'select',
  audit_checkpoints: 'select, insert',
  audit_entries: 'select, insert',
  audit_events: 'select, insert',
  audit_log: 'select, update',
  audit_tiles: 'select, insert, update',
  audit_witnessed: 'select, insert, update',
  bootstrap: 'select, insert, update',
  counted_sign_ins: 'select',
  erased_usernames: 'select, delete',
  held_usernames: 'select, insert, delete',
  imported_users: 'select, insert',
  impersonation_links: all,
  invitations: 'select, insert, update',
  last_active_hours: 'select',
  memberships: all,
  migrations: 'select',
  organization_invitations: 'select, insert, update',
  organizations: `${all}, references`,
  passkey_holders: 'select',
  passkeys: all,
  recovery_codes: all,
  recovery_links: all,
  secrets: 'select',
  sessions: all,
  settings: 'select',
  sign_in_hours: 'select',
  spent_challenges: all,
  superadmin_roster: 'select, update',
  user_figures: 'select, insert, update',
  user_ids: 'references',
  user_sign_ins: 'select, insert, update',
  users: 'select, insert, update',
  webhooks: all,
};

/**
 * Whether PostgreSQL refused a statement because the role lacks a right on the schema or on a table of the service.
 * PostgreSQL reports the name only in the message, in the language of the server. The result is also true for a table of
 * the application with the same name.
 */
export const lacksServiceRight = (error: unknown): boolean =>
  isRefused(error) &&
  (error.message.match(/\w+/g) ?? []).some(
    (word) => word === 'latchkey' || Object.hasOwn(serviceRights, word),
  );

/**
 * The functions that the service calls, and that roles other than the owner can execute only with a grant.
 */
const serviceFunctions = [
  'count_sign_ins(integer)',
  'forget_audit_events(timestamptz, integer, uuid)',
  'salt_audit_events(uuid[])',
];

/**
 * Grants the service's role the rights that the service needs, and revokes its other rights on the tables of
 * the service. A repeated call changes nothing. Everything happens in one transaction, so a running service
 * never lacks a right.
 *
 * @param role an existing role that does not own the schema and is not a member of the owner
 * @throws SchemaError `schema_not_owned` | `service_role_missing` | `service_role_owns`
 */
export async function grantServiceRole(db: Database, role: string): Promise<void> {
  const [current] = await db.query<{ name: string; owns: boolean }>(sql`
    select current_user as name, pg_has_role(pg_namespace.nspowner, 'usage') as owns
    from pg_namespace where pg_namespace.nspname = 'latchkey'`);
  if (!current?.owns) throw notOwned(current?.name ?? '', role);
  const service = await readServiceRole(db, role);
  if (!service) throw missing(role);
  if (service.owns) throw owning(role);
  await db.query(grantScript(role));
}

/**
 * Grants the rights again to all roles that have them from an earlier `grantServiceRole`, so that these roles
 * can use the tables of later migrations. Does nothing if the current role does not own the schema.
 */
export async function renewServiceRights(db: Database): Promise<void> {
  await db.query(grantScript(null));
}

/** Whether a role owns the schema, or is a member of the owner, or is a superuser. */
export async function ownsSchema(db: Database, role: string): Promise<boolean> {
  return (await readServiceRole(db, role))?.owns ?? false;
}

async function readServiceRole(db: Database, role: string): Promise<{ owns: boolean } | undefined> {
  const [found] = await db.query<{ owns: boolean }>(sql`
    select pg_has_role(pg_roles.oid, pg_namespace.nspowner, 'member') as owns
    from pg_roles, pg_namespace
    where pg_roles.rolname = ${role}::text and pg_namespace.nspname = 'latchkey'`);
  return found;
}

/**
 * Returns the script for one role. Null: the script for every role that can insert sessions, because only the
 * service's roles can. The script has no parameters, so it contains the role's name as hexadecimal digits,
 * which need no escaping.
 *
 * If a newer version of the package has migrated the schema, the script revokes nothing. During a rolling upgrade, the
 * instances of the newer version need rights that this version does not know.
 *
 * The statements are in a `do` block, which pg-mem (the in-memory database for tests) skips.
 */
const grantScript = (role: string | null): Script =>
  new Script(`${safePath}
select pg_advisory_xact_lock(${migrationLock});
do $$
declare
  chosen constant text := ${role === null ? 'null' : `convert_from(decode('${Buffer.from(role).toString('hex')}', 'hex'), 'UTF8')`};
  is_newest boolean;
  service_role text;
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'latchkey'), 'usage') then
    return;
  end if;
  is_newest := not exists (select from latchkey.migrations where version > ${newestOf(migrations)});
  for service_role in
    select chosen where chosen is not null
    union
    select pg_roles.rolname
    from pg_class, aclexplode(pg_class.relacl) as granted, pg_roles
    where pg_class.relnamespace = 'latchkey'::regnamespace and pg_class.relname = 'sessions'
      and granted.privilege_type = 'INSERT' and pg_roles.oid = granted.grantee
      and not pg_has_role(pg_roles.oid, pg_class.relowner, 'member')
  loop
    if is_newest then
      execute format('revoke all on all tables in schema latchkey from %I', service_role);
    end if;
    execute format('grant usage on schema latchkey to %I', service_role);
${grants()}
  end loop;
end
$$;`);

/** Each right that the service's role gets, as in a `grant` statement. */
export const grantedRights = (): string[] => [
  ...Object.entries(serviceRights).flatMap(([table, rights]) =>
    rights.split(', ').map((right) => `${right} on latchkey.${table}`),
  ),
  ...serviceFunctions.map((signature) => `execute on function latchkey.${signature}`),
];

const grants = (): string =>
  grantedRights()
    .map((right) => `    execute format('grant ${right} to %I', service_role);`)
    .join('\n');

const notOwned = (name: string, role: string) =>
  new SchemaError(
    'schema_not_owned',
    `The role ${name} does not own the schema latchkey, so it cannot grant rights to ${role}. Set MIGRATION_DATABASE_URL to the URL of the owner.`,
  );

const missing = (role: string) =>
  new SchemaError(
    'service_role_missing',
    `The role ${role} does not exist. Create it: create role ${role} login password '…'`,
  );

const owning = (role: string) =>
  new SchemaError(
    'service_role_owns',
    `The role ${role} owns the schema latchkey, or is a member of the owner or a superuser. So it can change everything in the schema. Choose another role for the service.`,
  );
