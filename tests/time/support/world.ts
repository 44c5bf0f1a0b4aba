import type { AuthServiceOptions } from 'latchkey';
import postgres from 'postgres';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** The time, the time zone and the faults of the clocks in which a service runs. */
export interface Conditions {
  /** When the service starts, in RFC 3339. */
  at: string;
  /** The time zone of the process, and of the connections to the database. */
  zone: string;
  /** By how many hours the clock of the process jumps after the start. */
  jumpHours?: number;
}

export interface World extends ServiceOn {
  database: TestDatabase;
  /** Moves both clocks to this number of seconds after the start. */
  goTo(seconds: number): Promise<void>;
  /** The clock of the process jumps. */
  jump(): void;
  /** The clock of the process. */
  now(): Date;
}

/** Starts a service with a connection of the application, which keeps the time zone of the database. */
export async function startWorld(
  { at, zone, jumpHours = 0 }: Conditions,
  options: AuthServiceOptions,
): Promise<World> {
  const zoneBefore = process.env.TZ;
  process.env.TZ = zone;
  const database = await createTestDatabase();
  await database.sql.unsafe(`alter database "${database.sql.options.database}" set timezone = '${zone}'`);
  await database.sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${at}' + (select ahead from public.test_clock) $$`);
  const client = postgres(database.url, { onnotice: () => {} });
  let ahead = 0;
  const now = () => new Date(Date.parse(at) + ahead);
  const service = await startServiceOn(client, { ...options, clock: now });
  let jumped = 0;
  return {
    ...service,
    database,
    now,
    goTo: async (seconds) => {
      ahead = seconds * 1000 + jumped;
      await database.sql`update public.test_clock set ahead = ${`${seconds} seconds`}::interval`;
    },
    jump: () => {
      jumped = jumpHours * 3_600_000;
      ahead += jumped;
    },
    close: async () => {
      await service.close();
      await client.end({ timeout: 1 });
      await database.drop();
      if (zoneBefore === undefined) delete process.env.TZ;
      else process.env.TZ = zoneBefore;
    },
  };
}
