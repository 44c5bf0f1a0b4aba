import type postgres from 'postgres';

/**
 * How many rows a statement has changed in each table. A name with a space is not a table: `event success` and `event
 * failure` are new audit events, and `users version` are rows that the statement has updated, even if only their
 * version is new.
 */
export type Effects = ReadonlyMap<string, number>;

/**
 * Every table gets triggers that count the rows a statement changes, because a result does not say what the parts of a
 * statement have changed. The counts are in a setting of the connection, because a table would keep all its dead rows. If
 * the statement fails, PostgreSQL resets the setting.
 */
const setting = 'interleavings.effects';
const add = (name: string) => `
  perform set_config(
    '${setting}', concat(current_setting('${setting}', true), ${name}, ':', count(*), ','), false)`;
const counting = `
  create function public.count_rows() returns trigger language plpgsql as $$
    begin
      ${add('tg_table_name')} from changed having count(*) > 0;
      return null;
    end $$;
  create function public.count_updates() returns trigger language plpgsql as $$
    begin
      ${add('tg_table_name')} from (
          select to_jsonb(changed) - 'version' from changed except all select to_jsonb(former) - 'version' from former
        ) as different having count(*) > 0;
      ${add("tg_table_name, ' version'")} from changed having count(*) > 0;
      return null;
    end $$;
  create function public.count_events() returns trigger language plpgsql as $$
    begin
      ${add("'event ', outcome")} from changed group by outcome;
      return null;
    end $$;`;

/** Starts to count. Needs the rights of the owner of the tables. */
export async function countEffects(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(counting);
  for (const table of await tablesOf(sql)) {
    const [count, countUpdates] = table === 'audit_events' ? ['events', 'events'] : ['rows', 'updates'];
    for (const [action, rows, program] of [
      ['insert', 'new table as changed', count],
      ['update', 'new table as changed old table as former', countUpdates],
      ['delete', 'old table as changed', count],
    ])
      await sql.unsafe(`
        create trigger count_${action} after ${action} on latchkey.${table}
          referencing ${rows} for each statement execute function public.count_${program}()`);
  }
}

/** Returns the effects of the statements since the last call, for `effectsOf`. */
export const takeEffects = `
  select current_setting('${setting}', true) as effects, set_config('${setting}', '', false)`;

export type TakenEffects = { effects: string | null };

export function effectsOf([taken]: readonly TakenEffects[]): Effects {
  const effects = new Map<string, number>();
  for (const [, name = '', rows] of (taken?.effects ?? '').matchAll(/([^,]+):(\d+),/g))
    effects.set(name, (effects.get(name) ?? 0) + Number(rows));
  return effects;
}

/** The table whose rows an effect has changed. */
export const tableOf = (name: string): string =>
  name.startsWith('event ') ? 'audit_events' : (name.split(' ')[0] ?? '');

/** The tables whose rows an operation can change. */
export async function tablesOf(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = 'latchkey' and tablename <> 'migrations' order by tablename`;
  return rows.map(({ name }) => name);
}
