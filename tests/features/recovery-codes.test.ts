import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { endSessions } from './support/accounts.ts';
import { auditRowsAbout, ownWholeAuditRow } from './support/audit-log.ts';
import { currentUser } from './support/current-session.ts';
import {
  codeRowsOf,
  codesPath,
  generateCodes,
  postGenerate,
  revokeCodes,
  useCode,
} from './support/recovery.ts';

const generatePath = `${codesPath}/generate`;
const form = /^[2-9CFGHJMPQRVWX]{4}(?:-[2-9CFGHJMPQRVWX]{4}){6}$/;

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

const use = async (username: string, code: string) => {
  const browser = service.browser();
  const { status } = await useCode(browser, { username }, code);
  return { status, browser };
};
const rowsOf = (person: Person) => codeRowsOf(service, person);
const rowsAbout = (person: Person, event: string) => auditRowsAbout(service, person, event);
const now = (plusSeconds?: number) => timeOf(service, plusSeconds);

describe('new recovery codes', () => {
  test('are ten different codes, in groups of four characters, that do not expire', async () => {
    const { browser } = await signUp(service);
    const answer = await browser.post(generatePath, {});
    expect(answer.status).toBe(201);
    expectUncached(answer);
    expect(answer.body).toEqual({
      codes: Array(10).fill(expect.stringMatching(form)),
      total: 10,
      expiresAt: null,
    });
    expect(new Set(answer.body.codes).size).toBe(10);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('can each be used to open a recovery session', async () => {
    const { browser, username } = await signUp(service);
    for (const code of await generateCodes(browser)) expect((await use(username, code)).status).toBe(200);
  });

  test.each([1, 20])('are as many as the value of MAX_RECOVERY_CODES, for example %d', async (count) => {
    const instance = await startSecondInstance(service, { env: { MAX_RECOVERY_CODES: `${count}` } });
    const person = await signUp(service);
    const { body } = await postGenerate(instance.browser(person.browser.cookies));
    await instance.close();
    expect([body.codes.length, body.total]).toEqual([count, count]);
    expect(await rowsOf(person)).toHaveLength(count);
    expect((await use(person.username, body.codes.at(-1))).status).toBe(200);
  });

  test('contain 121 random bits: at each of 28 positions, one of twenty symbols', async () => {
    const instance = await startSecondInstance(service, { maxRecoveryCodes: 20 });
    const { browser } = await signUp(service);
    const codes: string[] = [];
    for (let set = 0; set < 40; set += 1)
      codes.push(...(await generateCodes(instance.browser(browser.cookies))));
    await instance.close();
    expect(new Set(codes).size).toBe(800);

    const plain = codes.map((code) => code.replaceAll('-', ''));
    const places = Array.from({ length: 28 }, (_, place) => new Set(plain.map((code) => code[place])));
    const symbols = [...new Set(plain.join(''))].sort();
    expect(symbols).toHaveLength(20);
    for (const place of places) expect([...place].sort()).toEqual(symbols);
    // Each symbol is expected 1120 times, with a standard deviation of 33.
    for (const symbol of symbols) {
      const times = plain.join('').split(symbol).length - 1;
      expect(times).toBeGreaterThan(900);
      expect(times).toBeLessThan(1340);
    }
    expect(symbols.length ** 28).toBeGreaterThan(2 ** 112);
    // The symbols in each of these groups look alike. Codes contain at most one symbol of each group. They contain no
    // vowels, so they form no words.
    for (const alike of ['0ODQ', '1IL', '2Z', '5S', '8B', 'UV', 'KX', 'EF']) {
      expect(symbols.filter((symbol) => alike.includes(symbol)).length, alike).toBeLessThanOrEqual(1);
    }
    expect(symbols.join('')).not.toMatch(/[AEIOUY]/);
  });

  test('replace all earlier codes, used and unused', async () => {
    const person = await signUp(service);
    const earlier = await generateCodes(person.browser);
    await use(person.username, `${earlier[0]}`);
    const later = await generateCodes(person.browser);
    for (const code of earlier) expect((await use(person.username, code)).status).toBe(401);
    expect(await rowsOf(person)).toHaveLength(10);
    for (const code of later) expect((await use(person.username, code)).status).toBe(200);
  });

  test('do not change the codes of other users', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const [code] = await generateCodes(other.browser);
    const before = await rowsOf(other);
    await generateCodes(person.browser);
    expect(await rowsOf(other)).toEqual(before);
    expect((await use(other.username, `${code}`)).status).toBe(200);
  });

  test('are recorded in one audit row with their number', async () => {
    const person = await signUp(service);
    const answer = await postGenerate(person.browser);
    expect(await rowsAbout(person, 'recovery_code.generate')).toMatchObject([
      {
        ...ownWholeAuditRow(person, 'recovery_code.generate'),
        request_id: answer.headers.get('X-Request-Id'),
        details: { total: 10 },
      },
    ]);
  });
});

describe('recovery codes with an expiry', () => {
  test('expire exactly at `expiresAt`, by the clock of the database', async () => {
    const instance = await startSecondInstance(service, { env: { RECOVERY_CODE_EXPIRY: '30' } });
    const person = await signUp(service);
    const { body } = await postGenerate(instance.browser(person.browser.cookies));
    await instance.close();
    const expiresAt = await now(30 * 86_400);
    expect(body.expiresAt).toBe(expiresAt);
    const status = { total: 10, generatedAt: await now(), expiresAt };
    // The clock of the process does not advance, and has no effect.
    await service.database.sql`
      update public.test_clock set ahead = ahead + '30 days'::interval - '1 millisecond'::interval`;
    await service.database.sql`
      update latchkey.sessions set expires_at = '2999-01-01', ends_at = '2999-01-01'
      where user_id = ${userIdOf(person)}`;
    expect((await use(person.username, body.codes[0])).status).toBe(200);
    expect((await person.browser.get(codesPath)).body).toEqual({ ...status, remaining: 9 });
    await service.database.sql`update public.test_clock set ahead = ahead + '1 millisecond'::interval`;
    expect((await use(person.username, body.codes[1])).status).toBe(401);
    expect((await person.browser.get(codesPath)).body).toEqual({ ...status, remaining: 0 });
    expect((await currentUser(person.browser)).recoveryCodesRemaining).toBe(0);
  });
});

describe('the status of recovery codes', () => {
  const statusOf = async ({ browser }: Person) => (await browser.get(codesPath)).body;
  const remainingOf = async ({ browser }: Person) => (await currentUser(browser)).recoveryCodesRemaining;
  const none = { total: 0, remaining: 0, generatedAt: null, expiresAt: null };

  test('contains zeros and nulls for a user without codes', async () => {
    const person = await signUp(service);
    const answer = await person.browser.get(codesPath);
    expect([answer.status, answer.body]).toEqual([200, none]);
    expectUncached(answer);
    expect(await remainingOf(person)).toBe(0);
  });

  test('shows the number of unused codes after each use, and when the codes were created', async () => {
    const person = await signUp(service);
    const codes = await generateCodes(person.browser);
    const generatedAt = await now();
    await service.turnClock({ seconds: 90 });
    for (let remaining = 10; remaining >= 0; remaining -= 1) {
      expect(await statusOf(person)).toEqual({ total: 10, remaining, generatedAt, expiresAt: null });
      expect(await remainingOf(person)).toBe(remaining);
      await use(person.username, `${codes[10 - remaining]}`);
    }
  });

  test('shows only the user’s own codes, and requires no fresh authentication', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await generateCodes(other.browser);
    await service.turnClock({ minutes: 11 });
    expect(await statusOf(person)).toEqual(none);
    expect(await statusOf(other)).toMatchObject({ total: 10, remaining: 10 });
  });
});

describe('revoking recovery codes', () => {
  test('deletes all codes, used and unused', async () => {
    const person = await signUp(service);
    const codes = await generateCodes(person.browser);
    await use(person.username, `${codes[0]}`);
    const answer = await revokeCodes(person.browser);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await rowsOf(person)).toEqual([]);
    for (const code of codes) expect((await use(person.username, code)).status).toBe(401);
    expect((await person.browser.get(codesPath)).body).toMatchObject({ total: 0, remaining: 0 });
    expect(await rowsAbout(person, 'recovery_code.revoke')).toMatchObject([
      ownWholeAuditRow(person, 'recovery_code.revoke'),
    ]);
  });

  test('succeeds for a user without codes and writes no audit row', async () => {
    const person = await signUp(service);
    const answer = await revokeCodes(person.browser);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await rowsAbout(person, 'recovery_code.revoke')).toEqual([]);
  });

  test('does not change the codes of other users', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    await generateCodes(person.browser);
    await generateCodes(other.browser);
    const before = await rowsOf(other);
    await revokeCodes(person.browser);
    expect(await rowsOf(other)).toEqual(before);
  });
});

describe('changing recovery codes:', () => {
  const acts = [
    ['creating codes', postGenerate, 201],
    ['revoking codes', revokeCodes, 204],
  ] as const;

  test.each(acts)('%s requires fresh authentication', async (_, act, done) => {
    const person = await signUp(service);
    await generateCodes(person.browser);
    const before = await rowsOf(person);
    await service.turnClock({ minutes: 11 });
    expectProblem(await act(person.browser), 'reauthentication_required');
    expect(await rowsOf(person)).toEqual(before);
    await stepUp(person.browser, person.authenticator);
    expect((await act(person.browser)).status).toBe(done);
    expect(await rowsOf(person)).not.toEqual(before);
  });

  test.each(acts)('%s requires a session', async (_, act) => {
    expectProblem(await act(service.browser()), 'not_authenticated');
  });

  test.each([
    ['creating codes', 'POST', generatePath],
    ['revoking codes', 'DELETE', `${codesPath}/revoke`],
  ])('%s rejects unknown properties', async (_, method, path) => {
    const person = await signUp(service);
    await generateCodes(person.browser);
    const before = await rowsOf(person);
    for (const member of ['total', 'userId', 'codes', 'username']) {
      const body = JSON.stringify({ [member]: 1 });
      const answer = await person.browser.request(method, path, body, { 'Content-Type': 'application/json' });
      expectProblem(answer, 'invalid_request', {
        errors: [{ path: member, message: 'this property is unknown' }],
      });
    }
    expect(await rowsOf(person)).toEqual(before);
  });

  test.each(acts)('%s has no effect if the session ends before the statement runs', async (_, act) => {
    const person = await signUp(service);
    await generateCodes(person.browser);
    const before = await rowsOf(person);
    const { answer, changed } = await meet(service, {
      before: /delete from latchkey\.recovery_codes/,
      change: () => endSessions(service, person),
      act: (instance) => act(instance.browser(person.browser.cookies)),
    });
    expect(changed).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await rowsOf(person)).toEqual(before);
  });
});
