import type { Sql as PostgresClient } from 'postgres';
import { sparesOf, templateNames } from './names.ts';

/** The comment of a template contains the day of its last use. */
const lastUse = (day: string): string => `last used ${day}`;

/** Records the use of a template. Writes at most once a day, so that most calls only read. */
export async function recordLastUse(admin: PostgresClient, template: string): Promise<void> {
  const [found] = await admin<{ comment: string | null; today: string }[]>`
    select shobj_description(oid, 'pg_database') as comment, current_date::text as today
    from pg_database where datname = ${template}`;
  if (!found || found.comment === lastUse(found.today)) return;
  await admin.unsafe(`comment on database ${template} is '${lastUse(found.today)}'`).catch(ignore);
}

/** Deletes the templates that were not used for a week, and their spare copies. */
export async function removeOutdated(admin: PostgresClient): Promise<void> {
  const outdated = await admin<{ datname: string }[]>`
    select datname from pg_database
    where datname ~ ${templateNames}
      and datdba = (select oid from pg_roles where rolname = current_user)
      and shobj_description(oid, 'pg_database') < ('last used ' || (current_date - 7))`;
  for (const { datname: template } of outdated) {
    const spares = await admin<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${sparesOf(template)})`;
    for (const { datname } of [{ datname: template }, ...spares])
      await admin.unsafe(`drop database if exists ${datname}`).catch(ignore);
  }
}

/** Another process can delete or change the same database at the same time. */
function ignore(): void {}
