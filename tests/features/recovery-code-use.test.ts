import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { startFrozenService, timeOf } from '../support/frozen-clock.ts';
import { fullWidth } from '../support/full-width.ts';
import { logIn, type Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { TestService } from '../support/test-service.ts';
import { ownWholeAuditRow, wholeAuditRowsOf } from './support/audit-log.ts';
import { expectSessionCookie, tokenOf } from './support/current-session.ts';
import { codesPath, expectRecoveryBegun, signUpWithCodes, useCode } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startFrozenService();
});
afterAll(() => service.close());

const now = (plusSeconds?: number) => timeOf(service, plusSeconds);

/** Signs up a user with recovery codes. */
async function prepare(): Promise<{ person: Person; codes: string[]; code: string }> {
  const { person, codes } = await signUpWithCodes(service);
  return { person, codes, code: `${codes[0]}` };
}

describe('a recovery code', () => {
  test('opens a recovery session and returns the user', async () => {
    const { person, code } = await prepare();
    const browser = service.browser();
    const answer = await useCode(browser, person, code);
    await expectRecoveryBegun(service, person, answer, 'recovery_code');
    expectSessionCookie(browser, answer, '\\d+');
    const { body } = await browser.get('/auth/session');
    expect(body.session).toEqual(answer.body.session);
    expect(body.user).toMatchObject({ username: person.username, recoveryCodesRemaining: 9 });
  });

  test('works only once, and does not affect the other codes', async () => {
    const { person, codes, code } = await prepare();
    expect((await useCode(service.browser(), person, code)).status).toBe(200);
    expectProblem(await useCode(service.browser(), person, code), 'authentication_failed');
    expect((await useCode(service.browser(), person, codes[1])).status).toBe(200);
    expectProblem(await useCode(service.browser(), person, code), 'authentication_failed');
  });

  test('ends no other session, and the passkey still works', async () => {
    const { person, code } = await prepare();
    await useCode(service.browser(), person, code);
    expect((await person.browser.get('/auth/session')).status).toBe(200);
    expect((await logIn(service.browser(), person.authenticator)).status).toBe(200);
  });

  test('writes one audit row with the user as actor and target', async () => {
    const { person, code } = await prepare();
    const answer = await useCode(service.browser(), person, code);
    expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
      ownWholeAuditRow(person, 'recovery_code.use'),
    ]);
  });
});

const joined = (code: string, by: string) => code.replaceAll('-', by);

describe('entering a recovery code', () => {
  test.each<[how: string, spelling: (code: string) => string]>([
    ['in lower case', (code) => code.toLowerCase()],
    [
      'in mixed case',
      (code) => code.replace(/[A-Z]/g, (letter, at) => (at % 2 ? letter.toLowerCase() : letter)),
    ],
    ['without hyphens', (code) => joined(code, '')],
    ['with spaces instead of hyphens', (code) => joined(code, ' ')],
    ['between spaces and line breaks', (code) => `  ${code}\t\r\n`],
    ['with a space after each character', (code) => [...code].join(' ')],
    ['with a hyphen after each character', (code) => [...joined(code, '')].join('-')],
    ['on several lines', (code) => joined(code, '\n')],
    ['with no-break spaces', (code) => joined(code, '\u00a0')],
    ['with thin spaces', (code) => joined(code, '\u2009')],
    ['with ideographic spaces', (code) => joined(code, '\u3000')],
    ['with non-breaking hyphens', (code) => joined(code, '\u2011')],
    ['with en dashes', (code) => joined(code, '\u2013')],
    ['with em dashes', (code) => joined(code, ' \u2014 ')],
    ['with fullwidth hyphens', (code) => joined(code, '\uff0d')],
    ['with minus signs', (code) => joined(code, '\u2212')],
    ['with soft hyphens', (code) => joined(code, '-\u00ad')],
    ['with underscores', (code) => joined(code, '_')],
    ['with full stops', (code) => joined(code, '.')],
    ['in fullwidth characters', fullWidth],
    ['in lower-case fullwidth characters', (code) => fullWidth(code).toLowerCase()],
  ])('works %s', async (_, spelling) => {
    const { person, code } = await prepare();
    expect((await useCode(service.browser(), person, spelling(code))).status).toBe(200);
    expect((await useCode(service.browser(), person, code)).status).toBe(401);
  });

  test.each<[how: string, spelling: (code: string) => string]>([
    ['without its last character', (code) => code.slice(0, -1)],
    ['with an extra character', (code) => `${code}2`],
    ['with the code written twice', (code) => `${code} ${code}`],
    ['with its characters in reverse order', (code) => [...code].reverse().join('')],
    ['with its groups in another order', (code) => code.split('-').reverse().join('-')],
    ['with one character changed', (code) => `${code.startsWith('2') ? '3' : '2'}${code.slice(1)}`],
    ['with a wildcard', (code) => `${code.slice(0, -1)}%`],
  ])('is rejected %s', async (_, spelling) => {
    // The probability that a changed code is another valid code is about 1 in 10^35.
    const { person, code } = await prepare();
    expectProblem(await useCode(service.browser(), person, spelling(code)), 'authentication_failed');
    expect((await useCode(service.browser(), person, code)).status).toBe(200);
  });

  test.each<[how: string, spelling: (username: string) => string]>([
    ['in capitals', (username) => username.toUpperCase()],
    ['between spaces', (username) => `  ${username} `],
    ['in fullwidth characters', (username) => fullWidth(username.toUpperCase())],
  ])('works with the username written %s', async (_, spelling) => {
    const { person, code } = await prepare();
    const answer = await useCode(service.browser(), { username: spelling(person.username) }, code);
    expect(answer.status).toBe(200);
    expect(answer.body.user.username).toBe(person.username);
  });
});

describe('a request to use a code', () => {
  test.each<[how: string, body: object, path: string]>([
    ['without a username', { code: 'x' }, 'username'],
    ['without a code', { username: 'ann' }, 'code'],
    ['with a number as the code', { username: 'ann', code: 2 }, 'code'],
    ['with a list of codes', { username: 'ann', code: ['x'] }, 'code'],
    ['with null as the username', { username: null, code: 'x' }, 'username'],
    ['with a user id', { username: 'ann', code: 'x', userId: 'y' }, 'userId'],
    ['with a NUL character in the code', { username: 'ann', code: 'a\0b' }, 'code'],
    ['with a lone surrogate in the username', { username: 'a\ud800', code: 'x' }, 'username'],
  ])('%s is rejected as malformed', async (_, body, path) => {
    const before = (await service.auditRows()).length;
    const answer = await service.browser().post(`${codesPath}/use`, body);
    expectProblem(answer, 'invalid_request', { errors: [{ path, message: expect.any(String) }] });
    expect(await service.auditRows()).toHaveLength(before);
  });
});

describe('the session that a recovery code opens', () => {
  test('replaces the browser’s full session', async () => {
    const { person, code } = await prepare();
    const before = person.browser.copy();
    expect((await useCode(person.browser, person, code)).status).toBe(200);
    expect(tokenOf(person.browser)).not.toBe(tokenOf(before));
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
    const { session } = (await person.browser.get('/auth/session')).body;
    expect(session.kind).toBe('recovery');
  });

  test('replaces the browser’s earlier recovery session', async () => {
    const { person, codes } = await prepare();
    const browser = service.browser();
    await useCode(browser, person, codes[0]);
    const before = browser.copy();
    await useCode(browser, person, codes[1]);
    expectProblem(await before.get('/auth/session'), 'not_authenticated');
  });

  test('gets a new token, even if the request contains a token', async () => {
    const { person, code } = await prepare();
    const fixed = Buffer.alloc(32, 7).toString('base64url');
    const victim = service.browser();
    victim.cookies.set('latchkey', fixed);
    expect((await useCode(victim, person, code)).status).toBe(200);
    expect(tokenOf(victim)).not.toBe(fixed);
    const attacker = service.browser();
    attacker.cookies.set('latchkey', fixed);
    expectProblem(await attacker.get('/auth/session'), 'not_authenticated');
  });

  test('expires after exactly an hour, even if it is used all the time', async () => {
    const { person, code } = await prepare();
    const busy = service.browser();
    const { session } = (await useCode(busy, person, code)).body;
    for (let minutes = 2; minutes < 60; minutes += 2) {
      await service.turnClock({ minutes: 2 });
      expect((await busy.get('/auth/session')).body.session.expiresAt).toBe(session.expiresAt);
    }
    await service.turnClock({ seconds: 119.999 });
    expect((await busy.get('/auth/session')).status).toBe(200);
    await service.turnClock({ seconds: 0.001 });
    expectProblem(await busy.get('/auth/session'), 'not_authenticated');
  });

  test.each([
    ['sessionTtlSeconds', { sessionTtlSeconds: 100, sessionIdleTimeoutSeconds: 100 }],
    ['sessionIdleTimeoutSeconds', { sessionIdleTimeoutSeconds: 100 }],
  ])('expires earlier if %s is less than an hour', async (_, options) => {
    const instance = await startSecondInstance(service, options);
    const { person, code } = await prepare();
    const browser = instance.browser();
    const { session } = (await useCode(browser, person, code)).body;
    expect(session.expiresAt).toBe(await now(100));
    await service.turnClock({ seconds: 99.999 });
    const read = await instance.auth.sessionOf(cookieHeader(browser), { allowRecovery: true });
    expect(read?.session.kind).toBe('recovery');
    await service.turnClock({ seconds: 100 });
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    await instance.close();
  });
});
