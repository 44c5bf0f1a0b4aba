import type { TestService } from './test-service.ts';

/** Stops the database's time, so that only `turnClock` moves it and an expiry can be met at its exact instant. */
export async function freezeClock({ database }: TestService): Promise<void> {
  const [now] = await database.sql<{ iso: string }[]>`select date_trunc('second', now())::text as iso`;
  await database.sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${now?.iso}' + (select ahead from public.test_clock) $$`);
}
