import type { AuthServiceOptions } from 'latchkey';
import { startTestService, type TestService } from './test-service.ts';

/** Stops the database's clock. Only `turnClock` moves this clock, so tests can check the exact time of an expiry. */
export async function freezeClock({ database }: TestService): Promise<void> {
  const [now] = await database.sql<{ iso: string }[]>`select date_trunc('second', now())::text as iso`;
  await database.sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${now?.iso}' + (select ahead from public.test_clock) $$`);
}

export async function startFrozenService(options: AuthServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  await freezeClock(service);
  return service;
}

/** Returns the database's time plus `plusSeconds`, in the format that responses use. */
export async function timeOf({ database }: TestService, plusSeconds = 0): Promise<string> {
  const [row] = await database.sql<{ now: Date }[]>`select latchkey.clock() as now`;
  return new Date(Number(row?.now) + plusSeconds * 1000).toISOString();
}
