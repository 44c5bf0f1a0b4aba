import type { AuthServiceOptions } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freezeClock, timeOf } from '../support/frozen-clock.ts';
import { sortedStatuses, times } from '../support/many-requests.ts';
import { signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import type { TestService } from '../support/test-service.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

let database: TestDatabase;
let service: RememberingService | undefined;
/** The clock of the process, one hour behind the clock of the database. Tests move both clocks. */
let now = Number(stopCacheExpiry()()) - 3_600_000;
beforeAll(async () => {
  database = await createTestDatabase();
  await freezeClock({ database } as TestService);
  await database.sql.unsafe(`
    create table public.session_writes (session_id uuid);
    create function public.note_write() returns trigger language plpgsql
      as 'begin insert into public.session_writes values (new.id); return new; end';
    create trigger note_write after update on latchkey.sessions
      for each row execute function public.note_write();`);
});
afterEach(() => service?.close());
afterAll(() => database.drop());

async function turn(seconds: number): Promise<void> {
  now += Math.round(seconds * 1000);
  await database.sql`update public.test_clock set ahead = ahead + ${`${seconds} seconds`}::interval`;
}

/** Signs up a user and waits until the session is cached. */
async function start(options: AuthServiceOptions) {
  service = await startRemembering(database.url, { ...options, clock: () => new Date(now) });
  const { check, reads, untilRemembered } = service;
  const person = await signUp(service);
  await untilRemembered(person.browser);
  const fromCache = async () => {
    const before = reads();
    const { status } = await check(person.browser);
    return [status, reads() === before ? 'from memory' : 'from the row'];
  };
  return { ...person, fromCache, check: () => check(person.browser) };
}

const clockOwner = () => ({ database }) as TestService;

describe('a cached session', () => {
  test('expires exactly at the end of its maximum lifetime, to the millisecond', async () => {
    const { fromCache } = await start({ sessionTtlSeconds: 100 });
    await turn(97);
    expect(await fromCache()).toEqual([200, 'from the row']);
    await turn(2.998);
    expect(await fromCache()).toEqual([200, 'from memory']);
    await turn(0.001);
    expect((await fromCache())[0]).toBe(200);
    await turn(0.001);
    expect((await fromCache())[0]).toBe(401);
  });

  test('expires exactly at the end of its idle timeout, to the millisecond', async () => {
    const { fromCache } = await start({ sessionIdleTimeoutSeconds: 4 });
    await turn(3.999);
    expect(await fromCache()).toEqual([200, 'from the row']);
    await turn(0.5);
    expect(await fromCache()).toEqual([200, 'from memory']);
    await turn(3.5);
    expect((await fromCache())[0]).toBe(401);
  });

  test('does not expire while it is used, with an idle timeout of two seconds', async () => {
    const { fromCache } = await start({ sessionIdleTimeoutSeconds: 2 });
    const seen = new Set<unknown>();
    for (let step = 0; step < 30; step += 1) {
      await turn(0.3);
      const [status, source] = await fromCache();
      expect(status).toBe(200);
      seen.add(source);
    }
    expect(seen).toEqual(new Set(['from memory', 'from the row']));
    await turn(2);
    expect((await fromCache())[0]).toBe(401);
  });

  test('updates lastSeenAt once a minute, even with concurrent checks', async () => {
    const { check, signedUp } = await start({});
    const writes = async () =>
      (await database.sql`select from public.session_writes where session_id = ${signedUp.body.session.id}`)
        .length;
    const lastSeenAt = async () => (await check()).body.session.lastSeenAt;
    const began = await timeOf(clockOwner());
    for (let step = 0; step < 11; step += 1) {
      await turn(5);
      expect(await lastSeenAt()).toBe(began);
    }
    expect(await writes()).toBe(0);
    await turn(5);
    const answers = await Promise.all(Array.from({ length: 20 }, check));
    expect(sortedStatuses(answers)).toEqual(times(20, 200));
    expect(await lastSeenAt()).toBe(await timeOf(clockOwner()));
    expect(await writes()).toBe(0);
    await service?.close();
    service = undefined;
    expect(await writes()).toBe(1);
  });
});
