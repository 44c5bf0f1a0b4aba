import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { times } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import type { TestService } from '../support/test-service.ts';

const idle = 3600;

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

/** A process of the service that counts its statements that record uses of sessions. */
interface Process extends ServiceOn {
  recordings(): number;
}
const processes: Process[] = [];
async function startProcess(idleSeconds = idle): Promise<Process> {
  let recordings = 0;
  const options = { sessionIdleTimeoutSeconds: idleSeconds };
  const instance = await startSecondInstance(service, options, (text) => {
    if (/\bset last_seen_at =/.test(text)) recordings += 1;
  });
  const process = { ...instance, recordings: () => recordings };
  processes.push(process);
  return process;
}
afterEach(async () => {
  const started = processes.splice(0);
  await Promise.all(started.map((process) => process.close()));
  expectNoLoggedErrors(...started);
});

const signUpAt = ({ url, browser }: ServiceOn) => signUp({ ...service, url }, { browser: browser() });
const use = async (process: ServiceOn, { browser }: Person) => {
  const answer = await process.browser(browser.cookies).get('/auth/session');
  return [answer.status, answer.body.session?.lastSeenAt, answer.body.session?.expiresAt];
};
const storedUse = async (person: Person) => {
  const [row] = await service.database.sql<{ last_seen_at: Date; expires_at: Date }[]>`
    select last_seen_at, expires_at from latchkey.sessions where user_id = ${userIdOf(person)}`;
  return [row?.last_seen_at.toISOString(), row?.expires_at.toISOString()];
};
const usedNow = async () => [await timeOf(service), await timeOf(service, idle)];

describe('the uses of sessions', () => {
  test('are in responses at once, and are recorded later with one statement', async () => {
    const process = await startProcess();
    const people = await Promise.all(times(5, process).map(signUpAt));
    await service.turnClock({ seconds: 60 });
    for (const person of people) expect(await use(process, person)).toEqual([200, ...(await usedNow())]);
    expect(process.recordings()).toBe(0);
    await process.close();
    expect(process.recordings()).toBe(1);
    for (const person of people) expect(await storedUse(person)).toEqual(await usedNow());
  });

  test('are recorded after five seconds', async () => {
    const process = await startProcess();
    const person = await signUpAt(process);
    await service.turnClock({ seconds: 60 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      expect((await use(process, person))[0]).toBe(200);
      vi.advanceTimersByTime(4999);
      expect(process.recordings()).toBe(0);
      vi.advanceTimersByTime(1);
    } finally {
      vi.useRealTimers();
    }
    await eventually(async () => `${await storedUse(person)}` === `${await usedNow()}`);
    expect(process.recordings()).toBe(1);
  });

  test('are recorded at most once a minute for each session, also by two processes', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const person = await signUpAt(first);
    await service.turnClock({ seconds: 60 });
    const recorded = await usedNow();
    await use(first, person);
    await service.turnClock({ seconds: 59 });
    await use(second, person);
    await first.close();
    await second.close();
    expect(await storedUse(person)).toEqual(recorded);
  });

  test('never move the last use of a session back', async () => {
    const [first, second] = [await startProcess(), await startProcess()];
    const person = await signUpAt(first);
    await service.turnClock({ seconds: 60 });
    await use(first, person);
    await service.turnClock({ seconds: 90 });
    await use(second, person);
    const latest = await usedNow();
    await second.close();
    await first.close();
    expect(await storedUse(person)).toEqual(latest);
  });

  test('are recorded without waiting for a session that another statement has locked', async () => {
    const process = await startProcess();
    const [locked, other] = [await signUpAt(process), await signUpAt(process)];
    const before = await storedUse(locked);
    await service.turnClock({ seconds: 60 });
    await use(process, locked);
    await use(process, other);
    await service.database.sql.begin(async (transaction) => {
      await transaction`select from latchkey.sessions where user_id = ${userIdOf(locked)} for update`;
      await process.close();
    });
    expect(await storedUse(locked)).toEqual(before);
    expect(await storedUse(other)).toEqual(await usedNow());
  });

  test('do not extend a session beyond its maximum lifetime', async () => {
    const process = await startProcess();
    const person = await signUpAt(process);
    const end = await timeOf(service, 1800);
    await service.database.sql`
      update latchkey.sessions set ends_at = ${end} where user_id = ${userIdOf(person)}`;
    await service.turnClock({ seconds: 60 });
    expect(await use(process, person)).toEqual([200, await timeOf(service), end]);
    await process.close();
    expect(await storedUse(person)).toEqual([await timeOf(service), end]);
  });
});

describe('the use of a session', () => {
  test.each([
    ['that expires in more than a minute is recorded later', 300, 239.999, 0],
    ['that expires in a minute is recorded at once, so that no other process sees it expire', 300, 240, 1],
    ['whose previous use was almost five minutes ago is recorded later', idle, 299.999, 0],
    ['whose previous use was five minutes ago is recorded at once', idle, 300, 1],
  ])('%s', async (_, idleSeconds, seconds, recordings) => {
    const process = await startProcess(idleSeconds);
    const person = await signUpAt(process);
    await service.turnClock({ seconds });
    expect((await use(process, person))[0]).toBe(200);
    expect(process.recordings()).toBe(recordings);
  });
});

test('a session that ends before its use is recorded stays ended', async () => {
  const process = await startProcess();
  const person = await signUpAt(process);
  await service.turnClock({ seconds: 60 });
  await use(process, person);
  expect((await person.browser.delete('/auth/session')).status).toBe(204);
  await process.close();
  expect(await storedUse(person)).toEqual([undefined, undefined]);
});

test('if the uses cannot be recorded, the service logs a warning, and the next use is recorded', async () => {
  let fails = true;
  const options = { sessionIdleTimeoutSeconds: idle };
  const process = await startSecondInstance(service, options, (text) => {
    if (fails && /\bset last_seen_at =/.test(text)) throw new Error('a slip');
  });
  const person = await signUpAt(process);
  const before = await storedUse(person);
  await service.turnClock({ seconds: 60 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await use(process, person);
    vi.advanceTimersByTime(5000);
  } finally {
    vi.useRealTimers();
  }
  await eventually(() => process.logged.length > 0);
  expect(process.logged).toMatchObject([
    { level: 'warn', fields: { sessions: 1 }, message: 'cannot record the last use of sessions' },
  ]);
  expect(await storedUse(person)).toEqual(before);
  fails = false;
  await use(process, person);
  await process.close();
  expect(await storedUse(person)).toEqual(await usedNow());
});
