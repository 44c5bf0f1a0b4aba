import { describe, expect, test } from 'vitest';
import { expectNoStack, runCommand } from './support/command.ts';
import { examineWith, nowhere, production } from './support/doctor.ts';

describe('the doctor sees', () => {
  test.each([
    ['an RP id that is no domain', { WEBAUTHN_RP_ID: 'https://example.com' }, 'WEBAUTHN_RP_ID'],
    [
      'an origin that is not under the RP id',
      { WEBAUTHN_RP_ORIGIN: 'https://example.org' },
      'WEBAUTHN_RP_ORIGIN',
    ],
    ['a plain http origin in production', { WEBAUTHN_RP_ORIGIN: 'http://example.com' }, 'WEBAUTHN_RP_ORIGIN'],
    ['a weak JWT_SECRET in production', { JWT_SECRET: 'hunter2hunter2' }, 'JWT_SECRET'],
    ['a missing JWT_SECRET in production', { JWT_SECRET: '' }, 'JWT_SECRET'],
  ])('%s, why it matters and what mends it', async (_, changed, variable) => {
    const found = await examineWith({ ...production, ...changed });
    expect(found.exitCode).toBe(2);
    expect(found.check(variable)).toMatchObject({
      level: 'fault',
      why: expect.stringMatching(/\S.{20}/),
      mend: expect.stringContaining(`Set ${variable} to `),
    });
    expect(found.stdout).not.toContain('hunter2');
    expectNoStack(found);
  });

  test('every fault of the settings at once', async () => {
    const found = await examineWith({
      ...production,
      WEBAUTHN_RP_ID: '',
      JWT_SECRET: 'short',
      TRUST_PROXY: 'many',
    });
    const faulty = found.checks.filter(({ level }) => level === 'fault').map(({ name }) => name);
    expect(faulty).toEqual(
      expect.arrayContaining(['WEBAUTHN_RP_ID', 'JWT_SECRET', 'TRUST_PROXY', 'Database']),
    );
    expect(found.faults).toBe(faulty.length);
  });

  test('a weak JWT_SECRET in development as a warning, and does not show it', async () => {
    const found = await examineWith({ JWT_SECRET: 'hunter2hunter2' });
    expect(found.check('JWT_SECRET')).toMatchObject({
      level: 'warning',
      mend: expect.stringContaining('latchkey secret'),
    });
    expect(found.stdout).not.toContain('hunter2');
  });

  test('limits that are switched off, and no proxy, in production as warnings', async () => {
    const found = await examineWith({ ...production, RATE_LIMIT: 'off' });
    expect(found.check('Rate limits')).toMatchObject({
      level: 'warning',
      mend: expect.stringContaining('RATE_LIMIT'),
    });
    expect(found.check('Proxies')).toMatchObject({
      level: 'warning',
      mend: expect.stringContaining('TRUST_PROXY'),
    });
    const proxied = await examineWith({ ...production, TRUST_PROXY: '2' });
    expect(proxied.check('Proxies')).toMatchObject({ level: 'ok', message: expect.stringMatching(/^2 /) });
  });

  test('which flags the session cookie has', async () => {
    expect((await examineWith(production)).check('Cookies')?.message).toMatch(/__Host-latchkey.+Secure/);
    expect((await examineWith({})).check('Cookies')?.message).toMatch(/without Secure/);
  });

  test('a bcrypt cost that guesses too fast', async () => {
    expect((await examineWith({ BCRYPT_COST: '4' })).check('Passwords')).toMatchObject({
      level: 'warning',
      mend: expect.stringMatching(/^Set BCRYPT_COST=\d+$/),
    });
  });

  test('a Redis that does not answer, and where it was looked for', async () => {
    const found = await examineWith({ REDIS_URL: 'redis://:sesame@127.0.0.1:9' });
    expect(found.check('Redis')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('127.0.0.1:9'),
      mend: expect.stringContaining('REDIS_URL'),
    });
    expect(found.stdout).not.toContain('sesame');
  });
});

describe('of related origins the doctor says', () => {
  const related = { ...production, WEBAUTHN_RP_ORIGIN: 'https://example.com,https://example.org' };
  const answering = (expression: string) => ({
    node: [
      '--import',
      `data:text/javascript,globalThis.fetch = async (url) => ${encodeURIComponent(expression)}`,
    ],
  });

  test.each([
    ['cannot be read', `{ throw new Error('no route to ' + url) }`, /webauthn cannot be read: no route/],
    ['is missing', `new Response('', { status: 404 })`, /webauthn answers 404/],
    [
      'lists others',
      `Response.json({ origins: ['https://example.net'] })`,
      /does not list https:\/\/example\.org$/,
    ],
    ['lists none', `Response.json({})`, /does not list https:\/\/example\.org$/],
  ])('that their document %s, and what serves it', async (_, answer, message) => {
    const found = await examineWith(related, answering(answer));
    expect(found.check('Related origins')).toMatchObject({
      level: 'fault',
      message: expect.stringMatching(message),
      mend: expect.stringContaining('https://example.com/.well-known/webauthn'),
    });
  });

  test('that all is well where it lists them', async () => {
    const answer = `Response.json({ origins: ['https://example.org'] })`;
    expect((await examineWith(related, answering(answer))).check('Related origins')).toEqual({
      name: 'Related origins',
      level: 'ok',
      message: 'https://example.org',
    });
  });
});

test('for people the doctor prints what is wrong, why and what mends it, and how much there is', async () => {
  const { exitCode, stdout, stderr } = await runCommand('doctor', { env: { DATABASE_URL: nowhere } });
  expect([exitCode, stderr]).toEqual([2, '']);
  expect(stdout).toMatch(/^✗ Database {2}nothing listens at 127\.0\.0\.1:9\n {4}\S.+\n {4}→ \S.+$/m);
  expect(stdout).toMatch(/^✓ Redis {2}/m);
  expect(stdout).toMatch(/^! Passwords {2}/m);
  expect(stdout).toMatch(/\n\n1 fault, 1 warning\.\n$/);
  expect(stdout).not.toContain('open-sesame');
});
