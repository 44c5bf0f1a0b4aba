import { eventually } from '../../support/eventually.ts';
import type { TestService } from '../../support/test-service.ts';
import { backendsWaiting } from '../../support/waiting.ts';

const lock = 4712;

/**
 * Runs `change` while the statement of `act` waits before its insert into `table`. The statement has already read the
 * state, and writes after the change. If the change waits for a lock that the statement holds, the statement continues
 * first.
 */
export async function whileInserting<Outcome>(
  { database: { sql } }: TestService,
  table: string,
  act: () => Promise<Outcome>,
  change: () => Promise<unknown>,
): Promise<Outcome> {
  await sql.unsafe(`
    create or replace function public.hold_insert() returns trigger language plpgsql
      as 'begin perform pg_advisory_xact_lock_shared(${lock}); return new; end';
    create trigger hold_insert before insert on latchkey.${table}
      for each row execute function public.hold_insert();`);
  const held = await sql.reserve();
  await held`select pg_advisory_lock(${lock})`;
  const waiting = async (kind: 'advisory' | 'row') =>
    (await backendsWaiting(held)).some(({ event }) => (event === 'advisory') === (kind === 'advisory'));
  let settled = false;
  const acting = act();
  try {
    await eventually(() => waiting('advisory'));
    const changing = change().finally(() => {
      settled = true;
    });
    await eventually(async () => settled || (await waiting('row')));
    await held`select pg_advisory_unlock(${lock})`;
    await changing;
    return await acting;
  } finally {
    await held`select pg_advisory_unlock_all()`;
    held.release();
    await acting.catch(() => {});
    await sql.unsafe(`drop trigger hold_insert on latchkey.${table}`);
  }
}
