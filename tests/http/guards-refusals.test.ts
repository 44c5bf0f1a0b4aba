import { requirePermission, requireRole } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setRole } from '../features/support/accounts.ts';
import { signUpAs } from '../features/support/authority.ts';
import { startRecovering } from '../features/support/recovery.ts';
import type { TestAgent } from '../support/agent.ts';
import { fileCapabilities, withFiles } from '../support/file-capabilities.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { signServiceToken } from '../support/service-signing-key.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, outcome, startGuarded } from './support/guarded-app.ts';

let service: TestService;
let app: GuardedApp;
let superadmin: Person;
/** The ids of resources that the application looked up for a guard. */
const lookups: string[] = [];

beforeAll(async () => {
  service = await startTestService({ capabilities: fileCapabilities });
  superadmin = await signUpAs(service, 'superadmin');
  const find = (name: string) => {
    lookups.push(name);
    return { ownerId: userIdOf(superadmin) };
  };
  app = await startGuarded((router) => {
    for (const role of ['user', 'admin', 'superadmin'] as const) {
      router.all(`/for/${role}`, requireRole(service.auth, role));
    }
    const manage = requirePermission(withFiles(service.auth), 'file:manage', (ctx) => find(ctx.params.name));
    router.all('/manage/:name', manage);
    router.post('/assign', requirePermission(service.auth, 'role:assign'));
  });
});
afterAll(async () => {
  await app.close();
  await service.close();
});
afterEach(() => {
  app.reached.length = 0;
  lookups.length = 0;
});

describe('a guarded route', () => {
  const asks: [
    name: string,
    ask: (agent: TestAgent, headers?: Record<string, string>) => Promise<{ body: unknown }>,
  ][] = [
    ['with requireRole', (agent, headers) => agent.post('/for/user', {}, headers)],
    ['with requirePermission', (agent, headers) => agent.put('/manage/kept', {}, headers)],
  ];

  test.each(asks)('%s rejects cross-site requests before it looks up the resource', async (_, ask) => {
    const agent = app.as(superadmin.browser);
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: '' },
      { 'Sec-Fetch-Site': 'same-site', Origin: '' },
    ] as Record<string, string>[]) {
      expect(await outcome(ask(agent, headers))).toBe('cross_origin_request');
    }
    expect([app.reached, lookups]).toEqual([[], []]);
    expect(await outcome(ask(agent))).toBe('done');
  });

  test.each(asks)(
    '%s rejects a superadmin’s recovery session before it looks up the resource',
    async (_, ask) => {
      const person = await signUpAs(service, 'superadmin');
      const { browser } = await startRecovering(service, person);
      expect(await outcome(ask(app.as(browser)))).toBe('recovery_session');
      expect([app.reached, lookups]).toEqual([[], []]);
    },
  );

  test.each(asks)('%s rejects a signed-out caller before it looks up the resource', async (_, ask) => {
    expect(await outcome(ask(app.as(service.browser())))).toBe('not_authenticated');
    expect([app.reached, lookups]).toEqual([[], []]);
  });
});

describe('a service token', () => {
  const jwtOf = async ({ browser }: Person): Promise<string> =>
    (await browser.post('/auth/session/token')).body.token;
  /** A validly signed token with a false role. An attacker with the secret can create such a token. */
  const forged = ({ signedUp }: Person): Promise<string> =>
    signServiceToken(secret, {
      sub: userIdOf(superadmin),
      sid: signedUp.body.session.id,
      role: 'superadmin',
      aud: 'localhost',
    });

  test('is not accepted as a session token in a cookie, a header or a query', async () => {
    for (const jwt of [await jwtOf(superadmin), await forged(superadmin)]) {
      const inCookie = app.as({ cookies: new Map([['latchkey', jwt]]) });
      const stranger = app.as(service.browser());
      for (const path of ['/for/user', '/for/superadmin', '/manage/kept']) {
        expect(await outcome(inCookie.get(path))).toBe('not_authenticated');
        for (const header of ['Authorization', 'X-Access-Token']) {
          const headers = { [header]: header === 'Authorization' ? `Bearer ${jwt}` : jwt };
          expect(await outcome(stranger.get(path, headers))).toBe('not_authenticated');
        }
        expect(await outcome(stranger.get(`${path}?access_token=${jwt}`))).toBe('not_authenticated');
      }
    }
  });

  test('does not change the role of a signed-in user', async () => {
    const person = await signUp(service);
    const agent = app.as(person.browser);
    for (const jwt of [await jwtOf(superadmin), await forged(person)]) {
      const headers = { Authorization: `Bearer ${jwt}` };
      expect(await outcome(agent.get('/for/admin', headers))).toBe('forbidden');
      expect(await outcome(agent.post('/assign', {}, headers))).toBe('forbidden');
    }
  });

  test('from before a demotion does not give the user the old role', async () => {
    const admin = await signUpAs(service, 'admin');
    const headers = { Authorization: `Bearer ${await jwtOf(admin)}` };
    await setRole(service, admin, 'user');
    expect(await outcome(app.as(admin.browser).get('/for/admin', headers))).toBe('forbidden');
  });
});
