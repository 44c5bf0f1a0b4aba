import { DATABASE, OWNER, SERVICE } from './connection.ts';

/**
 * The tables of earlier versions in the schema `latchkey`. All other tables there belong to the application.
 */
const formerTables = [
  'audit_events',
  'bootstrap',
  'invitations',
  'memberships',
  'migrations',
  'organization_invitations',
  'organizations',
  'passkeys',
  'recovery_codes',
  'recovery_links',
  'sessions',
  'spent_challenges',
  'superadmin_roster',
  'users',
];

/** Leaves out what belongs to another object, such as the sequence of a column or the table of an extension. */
const isIndependent = (catalog: string) => `
  not exists (
    select from pg_depend
    where classid = 'pg_catalog.${catalog}'::regclass and objid = ${catalog}.oid and deptype in ('a', 'i', 'e')
  )`;

const isOfTheSuperuser = (owner: string, namespace: string) => `
  ${owner} = current_user::regrole
  and ${namespace} in (
    select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  )`;

/**
 * Gives the database of an earlier version to the current roles. In that version, one superuser owned
 * everything. It was named `latchkey`, so the tables that the application created without a schema went into
 * the schema `latchkey`.
 *
 * 1. Moves the application's tables, views and sequences from the schema `latchkey` to `public`, where the application
 *    now looks for them.
 * 2. Gives the schema `latchkey` and its contents to the owner, and everything else to the service's role, which is the
 *    role of the application.
 * 3. Gives the database to the owner. If the owner already has the database, the script does nothing.
 */
export const changeOwnersScript = `
do $$
declare
  moved text;
  command text;
begin
  if (select datdba = '${OWNER}'::regrole from pg_database where datname = '${DATABASE}') then
    return;
  end if;
  for moved in
    select pg_class.oid::regclass from pg_class
    where relnamespace = to_regnamespace('latchkey') and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and relname not in (${formerTables.map((name) => `'${name}'`).join(', ')})
      and not relispartition and to_regclass(format('public.%I', relname)) is null
      and ${isIndependent('pg_class')}
  loop
    execute format('alter table %s set schema public', moved);
  end loop;

  for command in
    select format('alter %s %s owner to ', kind, name)
      || case when namespace = to_regnamespace('latchkey') then '${OWNER}' else '${SERVICE}' end
    from (
      select 'schema', quote_ident(nspname), oid from pg_namespace
        where ${isOfTheSuperuser('nspowner', 'oid')} and nspname <> 'public'
      union all
      select 'table', oid::regclass::text, relnamespace from pg_class
        where ${isOfTheSuperuser('relowner', 'relnamespace')} and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          and ${isIndependent('pg_class')}
      union all
      select 'routine', oid::regprocedure::text, pronamespace from pg_proc
        where ${isOfTheSuperuser('proowner', 'pronamespace')} and ${isIndependent('pg_proc')}
      union all
      select 'type', format_type(oid, null), typnamespace from pg_type
        where ${isOfTheSuperuser('typowner', 'typnamespace')} and typtype in ('d', 'e', 'r')
          and ${isIndependent('pg_type')}
    ) as belongings (kind, name, namespace)
  loop
    execute command;
  end loop;

  alter database ${DATABASE} owner to ${OWNER};
end
$$;`;
