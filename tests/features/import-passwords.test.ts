import { scryptSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { newUsername, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, problemOf } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { bcryptHash, importedUser, importOne, refusalOf } from './support/imports.ts';
import { logInByPassword, password, stepUpByPassword, wrongPassword } from './support/passwords.ts';

const scryptOf = (text: string) => `scrypt:${scryptSync(text, 'salt', 16).toString('hex')}`;
const calls: [password: string, hash: string][] = [];
let verify: (password: string, hash: string) => unknown;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    bcryptCost: 4,
    password: {
      accepts: (hash) => hash.startsWith('scrypt:'),
      verify: (given, hash) => {
        calls.push([given, hash]);
        return verify(given, hash) as boolean;
      },
    },
  });
});
beforeEach(() => {
  calls.length = 0;
  service.logged.length = 0;
  verify = (given, hash) => scryptOf(given) === hash;
});
afterAll(() => service.close());

async function imported(hash: string): Promise<{ username: string }> {
  const user = importedUser({ password: { hash } });
  await importOne(service, user);
  return user;
}

const storedHash = async ({ username }: { username: string }): Promise<string> => {
  const [row] = await service.database.sql`
    select password_hash from latchkey.users where username = ${username}`;
  return row?.password_hash;
};

const lastReason = async (): Promise<unknown> => (await service.auditRows()).at(-1)?.details.reason;

describe('the password of an imported user', () => {
  test.each(['$2a$', '$2b$', '$2y$'])('works with a bcrypt hash that begins with %s', async (prefix) => {
    const user = await imported(bcryptHash(password, prefix));
    expect((await logInByPassword(service.browser(), user, wrongPassword)).status).toBe(401);
    expect((await logInByPassword(service.browser(), user)).status).toBe(200);
  });

  test('gets a hash of the service at the first sign-in, and then still works', async () => {
    const user = await imported(bcryptHash(password));
    expect(await storedHash(user)).toMatch(/^\$imported\$\$2b\$/);
    await logInByPassword(service.browser(), user, wrongPassword);
    expect(await storedHash(user)).toMatch(/^\$imported\$/);
    await logInByPassword(service.browser(), user);
    expect(await storedHash(user)).toMatch(/^\$latchkey1\$/);
    expect((await logInByPassword(service.browser(), user)).status).toBe(200);
  });

  test.each([
    ['has characters that NFKC changes', 'x²y³ and a ﬁsh'],
    ['is shorter than new passwords', 'short'],
    ['has more than 72 bytes, of which bcrypt ignores the rest', 'long '.repeat(20)],
  ])('works if it %s, also after the first sign-in', async (_, given) => {
    const user = await imported(bcryptHash(given));
    for (let times = 0; times < 2; times += 1)
      expect((await logInByPassword(service.browser(), user, given)).status).toBe(200);
    expect(await storedHash(user)).toMatch(/^\$latchkey1\$/);
  });

  test('authenticates a signed-in user again before the hash is replaced', async () => {
    const user = await imported(bcryptHash(password));
    const browser = service.browser();
    await logInByPassword(browser, user);
    await service.database.sql`
      update latchkey.users set password_hash = ${`$imported$${scryptOf(password)}`} where username = ${user.username}`;
    expect((await stepUpByPassword(browser, wrongPassword)).status).toBe(401);
    expect((await stepUpByPassword(browser)).status).toBe(200);
    expect(calls).toHaveLength(2);
  });

  test('is refused for a disabled user', async () => {
    const user = importedUser({ password: { hash: bcryptHash(password) }, status: 'disabled' });
    await importOne(service, user);
    expectProblem(await logInByPassword(service.browser(), user), 'account_disabled');
    expect(await lastReason()).toBe('user_disabled');
  });
});

describe('`password.verify`', () => {
  test('gets the password as it was typed and the hash, and is called until the first sign-in', async () => {
    const given = 'x²y³ and a ﬁsh';
    const user = await imported(scryptOf(given));
    expect((await logInByPassword(service.browser(), user, wrongPassword)).status).toBe(401);
    expect(await lastReason()).toBe('password_wrong');
    for (let times = 0; times < 2; times += 1)
      expect((await logInByPassword(service.browser(), user, given)).status).toBe(200);
    expect(calls).toEqual([
      [wrongPassword, scryptOf(given)],
      [given, scryptOf(given)],
    ]);
    expect(await storedHash(user)).toMatch(/^\$latchkey1\$/);
  });

  test('does not get a damaged hash of the service, even if it accepts every hash', async () => {
    const verified: string[] = [];
    const accepting = await startTestService({
      password: { accepts: () => true, verify: (_, hash) => verified.push(hash) > 0 },
    });
    const user = importedUser({ password: { hash: scryptOf(password) } });
    await importOne(accepting, user);
    await accepting.database.sql`
      update latchkey.users set password_hash = '$latchkey1$damaged' where username = ${user.username}`;
    expect((await logInByPassword(accepting.browser(), user)).status).toBe(401);
    expect(verified).toEqual([]);
    await accepting.close();
  });

  test.each<[what: string, verify: () => unknown]>([
    [
      'throws an error',
      () => {
        throw new Error('the hash is damaged');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the hash is damaged'))],
    ['returns a value that is not a boolean', () => 'yes'],
  ])('refuses the sign-in like a wrong password and logs an error if it %s', async (_, broken) => {
    const user = await imported(scryptOf(password));
    verify = broken;
    const wrong = await logInByPassword(service.browser(), { username: newUsername() });
    const answer = await logInByPassword(service.browser(), user);
    expect([answer.status, answer.body.code]).toEqual([wrong.status, wrong.body.code]);
    expect(await lastReason()).toBe('verify_failed');
    expect(service.logged).toMatchObject([
      { level: 'error', message: 'password.verify failed, so the sign-in was refused' },
    ]);
    expect(JSON.stringify(service.logged)).not.toContain(password);
    expect(await storedHash(user)).toBe(`$imported$${scryptOf(password)}`);
  });

  test('can throw an error that contains the password and the hash, and the log contains neither', async () => {
    const user = await imported(scryptOf(password));
    verify = (given, hash) => {
      const error = new RangeError(`${given} does not match ${hash}`, { cause: hash });
      throw Object.assign(error, { given, name: given });
    };
    expect((await logInByPassword(service.browser(), user)).status).toBe(401);
    const text = JSON.stringify(service.logged);
    expect(text).toContain('RangeError');
    for (const secret of [password, scryptOf(password)]) expect(text).not.toContain(secret);
  });

  test('that takes a long time does not delay the sign-ins of users with other hashes', async () => {
    const native = await imported(bcryptHash(password));
    const waiting = [];
    let finish = (_: boolean) => {};
    const result = new Promise<boolean>((resolve) => {
      finish = resolve;
    });
    verify = () => result;
    let ended = 0;
    for (let times = 0; times < 5; times += 1) {
      const user = await imported(scryptOf(password));
      waiting.push(logInByPassword(service.browser(), user).finally(() => (ended += 1)));
    }
    await eventually(async () => calls.length > 0);
    expect((await logInByPassword(service.browser(), native)).status).toBe(200);
    expect(ended).toBe(0);
    finish(true);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect(calls).toHaveLength(5);
  });

  test('that never ends has at most 30 unfinished calls, and further sign-ins get 503 until a call ends', async () => {
    const user = await imported(scryptOf(password));
    const native = await imported(bcryptHash(password));
    const finish: ((matches: boolean) => void)[] = [];
    verify = () => new Promise((resolve) => finish.push(resolve));
    const signIn = () => logInByPassword(service.browser(), user);
    const answers: Promise<Answer>[] = [];
    const timers = vi.spyOn(globalThis, 'setTimeout');
    try {
      // The time limit of a sign-in ends as soon as its call has started.
      while (finish.length < 30) {
        const before = finish.length;
        answers.push(signIn());
        await eventually(() => finish.length > before);
        const limit = timers.mock.calls.findLast(([, ms]) => ms === 5000);
        limit?.[0]();
      }
      for (const { status } of await Promise.all(answers)) expect(status).toBe(401);
      expect(await lastReason()).toBe('verify_failed');
      const events = await service.auditRows();
      service.logged.length = 0;
      for (let times = 0; times < 2; times += 1) {
        const { status, headers, body } = await signIn();
        expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
        expect(body).toEqual({
          ...problemOf('unavailable'),
          detail: 'Too many passwords are being checked.',
        });
      }
      expect(calls).toHaveLength(30);
      expect(service.logged).toEqual([
        {
          level: 'error',
          fields: { unfinished: 30 },
          message: expect.stringContaining('too many calls of password.verify'),
        },
      ]);
      expect(await service.auditRows()).toEqual(events);
      expect((await logInByPassword(service.browser(), native)).status).toBe(200);

      // One ended call makes room for one other call.
      finish[0]?.(true);
      const next = signIn();
      await eventually(() => finish.length === 31);
      expect((await signIn()).status).toBe(503);
      finish[30]?.(true);
      expect((await next).status).toBe(200);
    } finally {
      timers.mockRestore();
      for (const end of finish) end(false);
    }
    const other = await imported(scryptOf(password));
    for (let times = 0; times < 35; times += 1) {
      verify =
        times % 2
          ? () => Promise.reject(new Error('broken'))
          : () => {
              throw new Error('broken');
            };
      expect((await logInByPassword(service.browser(), other)).status).toBe(401);
    }
    verify = (given, hash) => scryptOf(given) === hash;
    expect((await logInByPassword(service.browser(), other)).status).toBe(200);
  });

  test('is not called for hashes of the service and for bcrypt hashes', async () => {
    const user = await imported(bcryptHash(password));
    await logInByPassword(service.browser(), user);
    await logInByPassword(service.browser(), user);
    await logInByPassword(service.browser(), user, wrongPassword);
    expect(calls).toEqual([]);
  });
});

describe('a stored hash of an unknown form', () => {
  test.each([
    ['of another system', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA'],
    ['of a damaged current form', '$latchkey1$AAAAAAAA$scrypt:12'],
    ['of a later form', `$latchkey2$AAAAAAAA${bcryptHash(password)}`],
    ['that is empty', ''],
    ['of a damaged bcrypt form', bcryptHash(password).slice(0, -1)],
  ])('%s refuses the sign-in like a wrong password', async (_, hash) => {
    const person = await signUp(service);
    await service.database
      .sql`update latchkey.users set password_hash = ${hash} where id = ${userIdOf(person)}`;
    const wrong = await logInByPassword(service.browser(), { username: newUsername() });
    const answer = await logInByPassword(service.browser(), person);
    expect([answer.status, answer.body.code]).toEqual([wrong.status, wrong.body.code]);
    expect(await lastReason()).toBe('hash_unknown');
    expect(calls).toEqual([]);
  });
});

describe('an import refuses the hash', () => {
  const reason = 'hash_unsupported';
  test.each([
    ['that `password.accepts` does not know', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA'],
    ['of Latchkey itself, which has a secret', `$latchkey1$AAAAAAAA${bcryptHash(password)}`],
    ['with the mark of an imported hash', `$imported$${bcryptHash(password)}`],
    ['with a bcrypt cost of 17', bcryptHash(password).replace('$2b$04$', '$2b$17$')],
    ['with a damaged bcrypt form', bcryptHash(password).slice(0, -1)],
    ['with white space', `scrypt:12 `],
    ['with more than 1024 characters', `scrypt:${'x'.repeat(1018)}`],
    ['that is empty', ''],
  ])('%s', async (_, hash) => {
    expect(await refusalOf(service, importedUser({ password: { hash } }))).toMatchObject({ reason });
  });

  test('of another system if the service has no `password.verify`', async () => {
    const plain = await startTestService({ bcryptCost: 4 });
    try {
      expect(await refusalOf(plain, importedUser({ password: { hash: scryptOf(password) } }))).toEqual({
        reason,
        message:
          'password.hash: expected a bcrypt hash, or a hash that the option `password.accepts` accepts',
      });
    } finally {
      await plain.close();
    }
  });
});
