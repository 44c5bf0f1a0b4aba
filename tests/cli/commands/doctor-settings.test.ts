import { describe, expect, test } from 'vitest';
import { expectNoStack, runCommand } from './support/command.ts';
import { examineWith, nowhere, production } from './support/doctor.ts';

describe('`latchkey doctor` reports', () => {
  test.each([
    ['an RP ID that is not a domain', { WEBAUTHN_RP_ID: 'https://example.com' }, 'WEBAUTHN_RP_ID'],
    ['an origin outside the RP ID', { WEBAUTHN_RP_ORIGIN: 'https://example.org' }, 'WEBAUTHN_RP_ORIGIN'],
    ['a plain http origin in production', { WEBAUTHN_RP_ORIGIN: 'http://example.com' }, 'WEBAUTHN_RP_ORIGIN'],
    ['a weak JWT_SECRET in production', { JWT_SECRET: 'hunter2hunter2' }, 'JWT_SECRET'],
    ['a missing JWT_SECRET in production', { JWT_SECRET: '' }, 'JWT_SECRET'],
  ])('%s with the reason and a fix', async (_, changed, variable) => {
    const found = await examineWith({ ...production, ...changed });
    expect(found.exitCode).toBe(2);
    expect(found.check(variable)).toMatchObject({
      level: 'error',
      why: expect.stringMatching(/\S.{20}/),
      fix: expect.stringContaining(`Set ${variable} to `),
    });
    expect(found.stdout).not.toContain('hunter2');
    expectNoStack(found);
  });

  test('all invalid settings together', async () => {
    const found = await examineWith({
      ...production,
      WEBAUTHN_RP_ID: '',
      JWT_SECRET: 'short',
      TRUST_PROXY: 'many',
    });
    const failing = found.checks.filter(({ level }) => level === 'error').map(({ name }) => name);
    expect(failing).toEqual(
      expect.arrayContaining(['WEBAUTHN_RP_ID', 'JWT_SECRET', 'TRUST_PROXY', 'Database']),
    );
    expect(found.errors).toBe(failing.length);
  });

  test('a weak JWT_SECRET in development as a warning, and does not print the secret', async () => {
    const found = await examineWith({ JWT_SECRET: 'hunter2hunter2' });
    expect(found.check('JWT_SECRET')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining('latchkey secret'),
    });
    expect(found.stdout).not.toContain('hunter2');
  });

  test('disabled rate limits and a missing proxy in production as warnings', async () => {
    const found = await examineWith({ ...production, RATE_LIMIT: 'off' });
    expect(found.check('Rate limits')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining('RATE_LIMIT'),
    });
    expect(found.check('Proxies')).toMatchObject({
      level: 'warning',
      fix: expect.stringContaining('TRUST_PROXY'),
    });
    const proxied = await examineWith({ ...production, TRUST_PROXY: '2' });
    expect(proxied.check('Proxies')).toMatchObject({ level: 'ok', message: expect.stringMatching(/^2 /) });
  });

  test('the attributes of the session cookie', async () => {
    expect((await examineWith(production)).check('Cookies')?.message).toMatch(/__Host-latchkey.+Secure/);
    expect((await examineWith({})).check('Cookies')?.message).toMatch(/without Secure/);
  });

  test('a bcrypt cost that is too low', async () => {
    expect((await examineWith({ BCRYPT_COST: '4' })).check('Passwords')).toMatchObject({
      level: 'warning',
      fix: expect.stringMatching(/^Set BCRYPT_COST=\d+$/),
    });
  });

  test.each(['redis://:sesame@127.0.0.1:9/1', 'redis+sentinel://:sesame@127.0.0.1:9/limits'])(
    'an unreachable Redis server and its address (%s)',
    async (REDIS_URL) => {
      const found = await examineWith({ REDIS_URL });
      expect(found.check('Redis')).toMatchObject({
        level: 'warning',
        message: expect.stringContaining('unreachable at 127.0.0.1:9:'),
        fix: expect.stringContaining('REDIS_URL'),
      });
      expect(found.stdout).not.toContain('sesame');
    },
  );
});

describe('for related origins, `latchkey doctor` reports', () => {
  const related = { ...production, WEBAUTHN_RP_ORIGIN: 'https://example.com,https://example.org' };
  const answering = (expression: string) => ({
    node: [
      '--import',
      `data:text/javascript,globalThis.fetch = async (url) => ${encodeURIComponent(expression)}`,
    ],
  });

  test.each([
    ['cannot be read', `{ throw new Error('no route to ' + url) }`, /webauthn cannot be read: no route/],
    ['returns 404', `new Response('', { status: 404 })`, /webauthn returns 404/],
    [
      'lists only other origins',
      `Response.json({ origins: ['https://example.net'] })`,
      /does not list https:\/\/example\.org$/,
    ],
    ['lists no origins', `Response.json({})`, /does not list https:\/\/example\.org$/],
  ])('that the document of related origins %s; the fix contains its URL', async (_, answer, message) => {
    const found = await examineWith(related, answering(answer));
    expect(found.check('Related origins')).toMatchObject({
      level: 'error',
      message: expect.stringMatching(message),
      fix: expect.stringContaining('https://example.com/.well-known/webauthn'),
    });
  });

  test('no problem if the document lists all related origins', async () => {
    const answer = `Response.json({ origins: ['https://example.org'] })`;
    expect((await examineWith(related, answering(answer))).check('Related origins')).toEqual({
      name: 'Related origins',
      level: 'ok',
      message: 'https://example.org',
    });
  });
});

test('`latchkey doctor` prints each problem with the reason and a fix, and then the totals', async () => {
  const { exitCode, stdout, stderr } = await runCommand('doctor', { env: { DATABASE_URL: nowhere } });
  expect([exitCode, stderr]).toEqual([2, '']);
  expect(stdout).toMatch(/^✗ Database {2}127\.0\.0\.1:9 refuses connections\n {4}\S.+\n {4}→ \S.+$/m);
  expect(stdout).toMatch(/^✓ Redis {2}/m);
  expect(stdout).toMatch(/^! Passwords {2}/m);
  expect(stdout).toMatch(/\n\n1 error, 1 warning\.\n$/);
  expect(stdout).not.toContain('open-sesame');
});
