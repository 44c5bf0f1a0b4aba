import { requireFresh, requirePermission, requireRole, requireSession } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { operatorAs } from './support/impersonation.ts';
import { stopCacheExpiry } from './support/lasting-cache.ts';
import { createLink, useLink } from './support/recovery.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

const clock = stopCacheExpiry();
let database: TestDatabase;
let client: postgres.Sql;
let service: RememberingService;
const statements: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, {
    onnotice: () => {},
    debug: (_connection, query) => {
      // The service sends this statement every two seconds, to check the connection on which it listens.
      if (query !== 'select latchkey.require_primary()') statements.push(query);
    },
  });
  service = await startRemembering(client, { clock, impersonation: true }, (router, auth) => {
    router.get('/app/role', requireRole(auth, 'user'), done);
    router.get(
      '/app/permission',
      requirePermission(auth, 'organization:read', () => ({ organizationId: null })),
      done,
    );
    router.get('/app/fresh', requireFresh(auth), done);
    // Changes the objects in `ctx.state.auth`.
    router.get('/app/mutate', requireSession(auth), (ctx) => {
      Object.assign(ctx.state.auth.user, { role: 'superadmin', mutated: true });
      ctx.state.auth.session.kind = 'recovery';
      if (ctx.state.auth.session.impersonator) ctx.state.auth.session.impersonator.name = 'mutated';
      ctx.body = 'mutated';
    });
    router.get('/auth/session', async (ctx, next) => {
      await next();
      if (ctx.get('X-Mutate')) Object.assign((ctx.body as { session: object }).session, { kind: 'recovery' });
    });
  });
});
afterAll(async () => {
  await service.close();
  await client.end({ timeout: 1 });
  await database.drop();
});

const done = (ctx: { body: unknown }) => {
  ctx.body = 'done';
};

/** Signs up a user and waits until the session is cached. */
async function signUpCached(): Promise<Person> {
  const person = await signUp(service);
  await service.untilRemembered(person.browser);
  statements.length = 0;
  return person;
}

describe('a cached session', () => {
  test('is checked without a statement', async () => {
    const { browser } = await signUpCached();
    for (let n = 0; n < 10; n += 1) expect((await service.check(browser)).status).toBe(200);
    expect(statements).toEqual([]);
  });

  test('has the same data as its row in the database', async () => {
    const { browser, signedUp } = await signUpCached();
    const { body } = await service.check(browser);
    expect(statements).toEqual([]);
    const read = await service.auth.sessionOf(cookieHeader(browser));
    expect(body).toEqual({ user: read?.user, session: read?.session });
    expect(body.session).toEqual(signedUp.body.session);
  });

  test('is used by `GET /auth/session`: the request reads only the account from the database', async () => {
    const { browser, signedUp } = await signUpCached();
    const answer = await browser.get('/auth/session');
    expect(statements).toHaveLength(1);
    expect(statements.join()).not.toContain('token_hash');
    expect(answer.body).toMatchObject({ user: signedUp.body.user, session: signedUp.body.session });
  });

  test.each(['/app/role', '/app/permission', '/app/fresh', '/auth/sessions'])(
    'is not used for %s: every request reads the row',
    async (path) => {
      const { browser } = await signUpCached();
      for (let n = 1; n <= 3; n += 1) {
        expect([200, 403]).toContain((await service.browser(browser.cookies).get(path)).status);
        expect(statements.filter((text) => text.includes('sessions.token_hash ='))).toHaveLength(n);
      }
    },
  );

  test('is not used for `auth.sessionOf`: every call reads the row', async () => {
    const { browser } = await signUpCached();
    for (let n = 1; n <= 3; n += 1) {
      expect((await service.auth.sessionOf(cookieHeader(browser)))?.user.username).toBeDefined();
      expect(statements).toHaveLength(n);
    }
  });

  test('is not found for another token or for a missing token', async () => {
    const { browser } = await signUpCached();
    const token = `${browser.cookies.get('latchkey')}`;
    for (const other of [token.slice(0, -2), `${token}A`, token.toUpperCase(), 'A'.repeat(43)]) {
      const { status } = await service.check({ cookies: new Map([['latchkey', other]]) });
      expect(status).toBe(401);
    }
    expect((await service.check({ cookies: new Map() })).status).toBe(401);
    expect((await service.check(browser)).status).toBe(200);
  });

  test('is never a recovery session: every check of a recovery session reads the row', async () => {
    const person = await signUp(service);
    const browser = service.browser();
    await useLink(browser, (await createLink(service, person)).token);
    statements.length = 0;
    for (let n = 1; n <= 5; n += 1) {
      expect((await service.check(browser)).status).toBe(403);
      expect(statements.filter((text) => text.includes('sessions.token_hash ='))).toHaveLength(n);
    }
  });
});

describe('if an application changes the session object, the changes', () => {
  test('do not affect later requests', async () => {
    const { browser, signedUp } = await signUpCached();
    for (let n = 0; n < 2; n += 1)
      expect((await service.browser(browser.cookies).get('/app/mutate')).body).toBe('mutated');
    expect((await service.check(browser)).body).toMatchObject({ session: signedUp.body.session });
    expect((await service.check(browser)).body.user).not.toHaveProperty('mutated');
    expect(statements).toEqual([]);
  });

  test('do not affect the impersonator that later requests get', async () => {
    const browser = await operatorAs(service, await signUp(service));
    await service.untilRemembered(browser);
    statements.length = 0;
    expect((await browser.get('/app/mutate')).body).toBe('mutated');
    expect((await service.check(browser)).body.session.impersonator).toMatchObject({ name: 'grace' });
    expect(statements).toEqual([]);
  });

  test('do not affect concurrent requests that share one read of the session', async () => {
    const { browser, signedUp } = await signUp(service);
    const paths = Array.from({ length: 20 }, (_, n) => (n % 2 ? '/app/check' : '/app/mutate'));
    const answers = await Promise.all(paths.map((path) => service.browser(browser.cookies).get(path)));
    for (const { body } of answers.filter((_, n) => n % 2))
      expect(body).toEqual({ user: expect.any(Object), session: signedUp.body.session });
  });

  test('do not affect later requests, even if the application changes a response body', async () => {
    const { browser, signedUp } = await signUpCached();
    expect((await browser.get('/auth/session', { 'X-Mutate': 'yes' })).body.session.kind).toBe('recovery');
    expect((await service.check(browser)).body.session).toEqual(signedUp.body.session);
  });
});

test('an unknown token is not cached: every request with the token reads the database and is rejected', async () => {
  await signUpCached();
  const browser = service.browser(new Map([['latchkey', 'A'.repeat(43)]]));
  for (let n = 1; n <= 3; n += 1) {
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expect(statements).toHaveLength(n);
  }
});
