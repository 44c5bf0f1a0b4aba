import { availableParallelism } from 'node:os';
import type bcrypt from 'bcrypt';
import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, newUsername, type Person } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  signUpWithPassword,
  stepUpByPassword,
} from './support/passwords.ts';

/** A bcrypt of the default cost that takes as long as a test wants, by the process's clock, and waits when it is told to. */
const slow = vi.hoisted(() => ({
  /** What each waits for. */
  gate: Promise.resolve(),
  /** What each takes. */
  ms: 250,
  ahead: 0,
  fails: false,
  atWork: 0,
  mostAtWork: 0,
}));

vi.mock('bcrypt', async (importOriginal) => {
  const { default: real } = await importOriginal<{ default: typeof bcrypt }>();
  async function slowly<T>(work: () => Promise<T>): Promise<T> {
    slow.atWork += 1;
    slow.mostAtWork = Math.max(slow.mostAtWork, slow.atWork);
    try {
      await slow.gate;
      slow.ahead += slow.ms;
      if (slow.fails) throw new Error('bcrypt is broken');
      return await work();
    } finally {
      slow.atWork -= 1;
    }
  }
  const cheap = (digest: string) => digest.replace(/^\$2b\$\d\d/, '$2b$04');
  return {
    default: {
      ...real,
      compare: (password: string, digest: string) => slowly(() => real.compare(password, cheap(digest))),
      hash: (password: string, cost: number) =>
        slowly(async () => (await real.hash(password, 4)).replace('$2b$04', `$2b$${cost}`)),
    },
  };
});

let database: TestDatabase;
let client: postgres.Sql;
let service: ServiceOn;
let person: Person;
/** How many logins have been told who it is: what comes next for them is the queue. */
let read = 0;
beforeAll(async () => {
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + slow.ahead);
  database = await createTestDatabase();
  client = postgres(database.url, { onnotice: () => {} });
  const counting = {
    query: async <Row extends object>({ text, values }: Statement) => {
      const rows = [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
      if (/^\s*select[^;]*users\.password_hash\b/.test(text)) read += 1;
      return rows;
    },
  };
  service = await startServiceOn(counting, { bcryptCost: 12 });
  person = await signUpWithPassword(service);
});
afterAll(async () => {
  await service.close();
  await client.end({ timeout: 1 });
  await database.drop();
  vi.restoreAllMocks();
});
afterEach(() => {
  slow.ms = 250;
  slow.fails = false;
});

const enter = (username = person.username) => logInByPassword(service.browser(), { username });
const isBusy = ({ status }: Answer) => status === 503;

/** Sends a hundred logins while none gets done, does something, and lets them go on. */
async function whileFull(act: () => Promise<void> = async () => {}): Promise<Answer[]> {
  let open = () => {};
  slow.gate = new Promise((resolve) => {
    open = resolve;
  });
  read = 0;
  const sent = Array.from({ length: 100 }, (_, n) => enter(n % 2 ? undefined : newUsername()));
  try {
    await eventually(() => read === 100);
    // One more, there and back, by when the last of them is in the queue or turned away.
    expect(isBusy(await enter())).toBe(true);
    await act();
  } finally {
    open();
  }
  return Promise.all(sent);
}

describe('while too many passwords wait', () => {
  test('the rest is 503 with a time to come back after, and those who wait are answered', async () => {
    const answers = await whileFull();
    const busy = answers.filter(isBusy);
    expect(busy.length).toBeGreaterThan(20);
    for (const { body, headers } of busy) {
      expect(body).toEqual({
        type: 'urn:latchkey:error:unavailable',
        title: 'The service is briefly unavailable.',
        status: 503,
        code: 'unavailable',
        detail: 'Too many passwords are being checked just now.',
      });
      // More than five seconds of work stand before it, and not many more.
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(5);
      expect(Number(headers.get('Retry-After'))).toBeLessThan(10);
    }
    const right = answers.filter((answer, n) => n % 2 === 1 && !isBusy(answer));
    const unknown = answers.filter((answer, n) => n % 2 === 0 && !isBusy(answer));
    expect(right.length + unknown.length).toBeGreaterThan(10);
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('it makes no difference whose name it is, and nothing is written down', async () => {
    await whileFull(async () => {
      const rows = await database.sql`select from latchkey.audit_events`;
      const answers = [await enter(), await enter(newUsername()), await enter('no good')];
      for (const { status, body } of answers) expect([status, body]).toEqual([503, answers[0]?.body]);
      expect(await database.sql`select from latchkey.audit_events`).toHaveLength(rows.length);
    });
  });

  test('a passkey signs in, and a session is read', async () => {
    await whileFull(async () => {
      const browser = service.browser();
      expect((await logIn(browser, person.authenticator)).status).toBe(200);
      expect((await browser.get('/auth/session')).status).toBe(200);
    });
  });

  test('a step-up and a new password are 503 as well, and change nothing', async () => {
    await whileFull(async () => {
      const before = person.browser.cookies.get('latchkey');
      const stepUp = await stepUpByPassword(person.browser);
      const added = await addPassword(person.browser, otherPassword);
      expect([stepUp, added].map(isBusy)).toEqual([true, true]);
      expect(person.browser.cookies.get('latchkey')).toBe(before);
      expect((await person.browser.get('/auth/session')).status).toBe(200);
    });
    expect((await enter()).status).toBe(200);
  });

  test('the operator is told once for each flood, not once for each request', async () => {
    service.logged.length = 0;
    for (const flood of [1, 2]) {
      expect((await whileFull()).filter(isBusy).length).toBeGreaterThan(20);
      expect(service.logged).toEqual(
        Array(flood).fill({
          level: 'warn',
          fields: { waitMs: expect.any(Number) },
          message: expect.stringContaining('too many passwords'),
        }),
      );
    }
  });

  test('a password that cannot be had is told so all the same', async () => {
    await whileFull(async () => {
      const answer = await addPassword(person.browser, 'short');
      expect([answer.status, answer.body.reason]).toEqual([400, 'too_short']);
    });
  });

  test('one core and one of the four threads of Node are left to everybody else', async () => {
    slow.mostAtWork = 0;
    await whileFull();
    expect(slow.mostAtWork).toBe(Math.max(1, Math.min(3, availableParallelism() - 1)));
  });
});

describe('afterwards', () => {
  test('passwords are checked as before', async () => {
    await whileFull();
    const browser = service.browser();
    expect((await logInByPassword(browser, person)).status).toBe(200);
    expect((await stepUpByPassword(browser)).status).toBe(200);
    expect((await addPassword(browser)).status).toBe(200);
    expect((await enter(newUsername())).status).toBe(401);
  });

  test('as many may wait as before', async () => {
    const waiting = async () => (await whileFull()).filter((answer) => !isBusy(answer)).length;
    const first = await waiting();
    expect(Math.abs((await waiting()) - first)).toBeLessThan(first / 2);
  });
});

test('where bcrypt turns out to be slower fewer may wait, and more again once it is faster', async () => {
  const waitingAt = async (ms: number) => {
    slow.ms = ms;
    for (let n = 0; n < 60; n += 1) await enter(newUsername());
    return (await whileFull()).filter((answer) => !isBusy(answer)).length;
  };
  const usual = await waitingAt(250);
  const slower = await waitingAt(2000);
  expect(slower).toBeLessThan(usual / 2);
  expect(slower).toBeGreaterThan(0);
  expect(await waitingAt(250)).toBeGreaterThan(slower * 2);
});

test('what fails does not count as waiting for ever', async () => {
  slow.fails = true;
  for (let n = 0; n < 70; n += 1) expect((await enter()).status).toBe(500);
  slow.fails = false;
  expect((await enter()).status).toBe(200);
});
