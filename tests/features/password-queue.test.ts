import { availableParallelism } from 'node:os';
import type bcrypt from 'bcrypt';
import type { Statement } from 'latchkey';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, newUsername, type Person } from '../support/person.ts';
import { problemOf } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import {
  addPassword,
  logInByPassword,
  otherPassword,
  signUpWithPassword,
  stepUpByPassword,
} from './support/passwords.ts';

/** Controls the fake bcrypt: how much time a call adds to the fake clock, and whether calls wait or fail. */
const slow = vi.hoisted(() => ({
  /** Every call waits for this promise. */
  gate: Promise.resolve(),
  /** The duration of one call. */
  durationMs: 250,
  clockMs: 0,
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
      slow.clockMs += slow.durationMs;
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
/** A user who can step up with the password. A user who has a passkey cannot. */
let withoutPasskey: Person;
/** The number of sign-ins that have read the account. Their next step is the queue. */
let accountsRead = 0;
beforeAll(async () => {
  // The service measures bcrypt only with this clock, so the speed of the machine has no effect.
  vi.spyOn(performance, 'now').mockImplementation(() => slow.clockMs);
  database = await createTestDatabase();
  client = postgres(database.url, { onnotice: () => {} });
  const counting = {
    query: async <Row extends object>({ text, values }: Statement) => {
      const rows = [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
      if (/^\s*select[^;]*users\.password_hash\b/.test(text)) accountsRead += 1;
      return rows;
    },
  };
  service = await startServiceOn(counting, { bcryptCost: 12 });
  person = await signUpWithPassword(service);
  withoutPasskey = await signUpWithPassword(service);
  const { passkey } = withoutPasskey.signedUp.body;
  await withoutPasskey.browser.delete(`/auth/passkey/devices/${passkey.id}`);
});
afterAll(async () => {
  await service.close();
  await client.end({ timeout: 1 });
  await database.drop();
  vi.restoreAllMocks();
});
afterEach(() => {
  slow.durationMs = 250;
  slow.fails = false;
});

const signIn = (username = person.username) => logInByPassword(service.browser(), { username });
const isBusy = ({ status }: Answer) => status === 503;

/** Starts a hundred sign-ins, runs `act` before any bcrypt call finishes, and then lets the sign-ins continue. */
async function whileQueueFull(act: () => Promise<void> = async () => {}): Promise<Answer[]> {
  let open = () => {};
  slow.gate = new Promise((resolve) => {
    open = resolve;
  });
  accountsRead = 0;
  const sent = Array.from({ length: 100 }, (_, n) => signIn(n % 2 ? undefined : newUsername()));
  try {
    await eventually(() => accountsRead === 100);
    // When one more sign-in is rejected, each of the hundred sign-ins is already queued or rejected.
    expect(isBusy(await signIn())).toBe(true);
    await act();
  } finally {
    open();
  }
  return Promise.all(sent);
}

describe('while the password queue is full', () => {
  test('further sign-ins get 503 with Retry-After, and the queued sign-ins succeed or get 401', async () => {
    const answers = await whileQueueFull();
    const busy = answers.filter(isBusy);
    expect(busy.length).toBeGreaterThan(20);
    for (const { body, headers } of busy) {
      expect(body).toEqual({
        ...problemOf('unavailable'),
        detail: 'Too many passwords are being checked.',
      });
      // The queue contains a little more than five seconds of work.
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(5);
      expect(Number(headers.get('Retry-After'))).toBeLessThan(10);
    }
    const right = answers.filter((answer, n) => n % 2 === 1 && !isBusy(answer));
    const unknown = answers.filter((answer, n) => n % 2 === 0 && !isBusy(answer));
    expect(right.length + unknown.length).toBeGreaterThan(10);
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('known, unknown and invalid usernames get the same response, and the audit log does not record them', async () => {
    await whileQueueFull(async () => {
      const rows = await database.sql`select from latchkey.audit_events`;
      const answers = [await signIn(), await signIn(newUsername()), await signIn('no good')];
      for (const { status, body } of answers) expect([status, body]).toEqual([503, answers[0]?.body]);
      expect(await database.sql`select from latchkey.audit_events`).toHaveLength(rows.length);
    });
  });

  test('the statistics count the running and the waiting bcrypt calls', async () => {
    await whileQueueFull(async () => {
      const { running, waiting } = service.auth.statistics().passwords;
      expect(running).toBe(slow.atWork);
      expect(waiting).toBeGreaterThan(0);
    });
    expect(service.auth.statistics().passwords).toEqual({ running: 0, waiting: 0 });
  });

  test('passkey sign-ins and session checks still work', async () => {
    await whileQueueFull(async () => {
      const browser = service.browser();
      expect((await logIn(browser, person.authenticator)).status).toBe(200);
      expect((await browser.get('/auth/session')).status).toBe(200);
    });
  });

  test('requests to step up and to set a password also get 503 and have no effect', async () => {
    await whileQueueFull(async () => {
      const before = withoutPasskey.browser.cookies.get('latchkey');
      const stepUp = await stepUpByPassword(withoutPasskey.browser);
      const added = await addPassword(withoutPasskey.browser, otherPassword);
      expect([stepUp, added].map(isBusy)).toEqual([true, true]);
      expect(withoutPasskey.browser.cookies.get('latchkey')).toBe(before);
      expect((await withoutPasskey.browser.get('/auth/session')).status).toBe(200);
    });
    expect((await signIn(withoutPasskey.username)).status).toBe(200);
  });

  test('one warning is logged, not one for each rejected request', async () => {
    service.logged.length = 0;
    for (const flood of [1, 2]) {
      expect((await whileQueueFull()).filter(isBusy).length).toBeGreaterThan(20);
      expect(service.logged).toEqual(
        Array(flood).fill({
          level: 'warn',
          fields: { waitMs: expect.any(Number) },
          message: expect.stringContaining('too many passwords'),
        }),
      );
    }
  });

  test('an unacceptable password is still rejected with its reason', async () => {
    await whileQueueFull(async () => {
      const answer = await addPassword(person.browser, 'short');
      expect([answer.status, answer.body.reason]).toEqual([400, 'too_short']);
    });
  });

  test('at most three bcrypt calls run at the same time, and one CPU core stays free if there are several', async () => {
    slow.mostAtWork = 0;
    await whileQueueFull();
    expect(slow.mostAtWork).toBe(Math.max(1, Math.min(3, availableParallelism() - 1)));
  });
});

describe('after the password queue was full,', () => {
  test('passwords are checked as before', async () => {
    await whileQueueFull();
    const browser = service.browser();
    expect((await logInByPassword(browser, withoutPasskey)).status).toBe(200);
    expect((await stepUpByPassword(browser)).status).toBe(200);
    expect((await addPassword(browser)).status).toBe(200);
    expect((await signIn(newUsername())).status).toBe(401);
  });

  test('the queue accepts about as many passwords as before', async () => {
    const waiting = async () => (await whileQueueFull()).filter((answer) => !isBusy(answer)).length;
    const first = await waiting();
    expect(Math.abs((await waiting()) - first)).toBeLessThan(first / 2);
  });
});

test('the queue accepts fewer passwords while bcrypt is slower, and more after bcrypt is fast again', async () => {
  const waitingAt = async (ms: number) => {
    slow.durationMs = ms;
    for (let n = 0; n < 60; n += 1) await signIn(newUsername());
    return (await whileQueueFull()).filter((answer) => !isBusy(answer)).length;
  };
  const usual = await waitingAt(250);
  const slower = await waitingAt(2000);
  expect(slower).toBeLessThan(usual / 2);
  expect(slower).toBeGreaterThan(0);
  expect(await waitingAt(250)).toBeGreaterThan(slower * 2);
});

test('failed bcrypt calls leave the queue', async () => {
  slow.fails = true;
  for (let n = 0; n < 70; n += 1) expect((await signIn()).status).toBe(500);
  slow.fails = false;
  expect((await signIn()).status).toBe(200);
});
