import { requireFresh, requirePermission, requireRole, requireSession } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieHeader } from '../support/cookie-header.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { createLink, useLink } from './support/recovery.ts';
import { type RememberingService, startRemembering } from './support/remembering.ts';

let database: TestDatabase;
let client: postgres.Sql;
let service: RememberingService;
const statements: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = postgres(database.url, {
    onnotice: () => {},
    debug: (_connection, query) => statements.push(query),
  });
  service = await startRemembering(client, {}, (router, auth) => {
    router.get('/app/role', requireRole(auth, 'user'), done);
    router.get(
      '/app/permission',
      requirePermission(auth, 'file:read', () => ({ organizationId: null })),
      done,
    );
    router.get('/app/fresh', requireFresh(auth), done);
    // As careless as an application may be.
    router.get('/app/scribble', requireSession(auth), (ctx) => {
      Object.assign(ctx.state.auth.user, { role: 'superadmin', scribbled: true });
      ctx.state.auth.session.kind = 'recovery';
      ctx.body = 'scribbled';
    });
    router.get('/auth/session', async (ctx, next) => {
      await next();
      if (ctx.get('X-Scribble'))
        Object.assign((ctx.body as { session: object }).session, { kind: 'recovery' });
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

/** Somebody whose session is remembered. */
async function remembered(): Promise<Person> {
  const person = await signUp(service);
  await service.untilRemembered(person.browser);
  statements.length = 0;
  return person;
}

describe('a session that has been read', () => {
  test('is checked again without any statement, however often', async () => {
    const { browser } = await remembered();
    for (let n = 0; n < 10; n += 1) expect((await service.check(browser)).status).toBe(200);
    expect(statements).toEqual([]);
  });

  test('is told as its row has it', async () => {
    const { browser, signedUp } = await remembered();
    const { body } = await service.check(browser);
    expect(statements).toEqual([]);
    const read = await service.auth.sessionOf(cookieHeader(browser));
    expect(body).toEqual({ user: read?.user, session: read?.session });
    expect(body.session).toEqual(signedUp.body.session);
  });

  test('makes GET /auth/session one statement, for the account', async () => {
    const { browser, signedUp } = await remembered();
    const answer = await browser.get('/auth/session');
    expect(statements).toHaveLength(1);
    expect(statements.join()).not.toContain('token_hash');
    expect(answer.body).toMatchObject({ user: signedUp.body.user, session: signedUp.body.session });
  });

  test.each(['/app/role', '/app/permission', '/app/fresh', '/auth/sessions'])(
    'is read again for %s, each time',
    async (path) => {
      const { browser } = await remembered();
      for (let n = 1; n <= 3; n += 1) {
        expect([200, 403]).toContain((await service.browser(browser.cookies).get(path)).status);
        expect(statements.filter((text) => text.includes('sessions.token_hash ='))).toHaveLength(n);
      }
    },
  );

  test('is read again for auth.sessionOf, each time', async () => {
    const { browser } = await remembered();
    for (let n = 1; n <= 3; n += 1) {
      expect((await service.auth.sessionOf(cookieHeader(browser)))?.user.username).toBeDefined();
      expect(statements).toHaveLength(n);
    }
  });

  test('is not what another token, or none, is answered by', async () => {
    const { browser } = await remembered();
    const token = `${browser.cookies.get('latchkey')}`;
    for (const other of [token.slice(0, -2), `${token}A`, token.toUpperCase(), 'A'.repeat(43)]) {
      const { status } = await service.check({ cookies: new Map([['latchkey', other]]) });
      expect(status).toBe(401);
    }
    expect((await service.check({ cookies: new Map() })).status).toBe(401);
    expect((await service.check(browser)).status).toBe(200);
  });

  test('goes on being refused where it is one for recovery', async () => {
    const person = await signUp(service);
    const browser = service.browser();
    await useLink(browser, (await createLink(service, person)).token);
    await service.untilRemembered(browser);
    statements.length = 0;
    const { status } = await service.check(browser);
    expect([status, statements]).toEqual([403, []]);
  });
});

describe('what an application does to what a guard has left', () => {
  test('is not seen by the next request', async () => {
    const { browser, signedUp } = await remembered();
    for (let n = 0; n < 2; n += 1)
      expect((await service.browser(browser.cookies).get('/app/scribble')).body).toBe('scribbled');
    expect((await service.check(browser)).body).toMatchObject({ session: signedUp.body.session });
    expect((await service.check(browser)).body.user).not.toHaveProperty('scribbled');
    expect(statements).toEqual([]);
  });

  test('is not seen by a request that was answered by the same row', async () => {
    const { browser, signedUp } = await signUp(service);
    const paths = Array.from({ length: 20 }, (_, n) => (n % 2 ? '/app/check' : '/app/scribble'));
    const answers = await Promise.all(paths.map((path) => service.browser(browser.cookies).get(path)));
    for (const { body } of answers.filter((_, n) => n % 2))
      expect(body).toEqual({ user: expect.any(Object), session: signedUp.body.session });
  });

  test('is not seen by the next request, where it is done to an answer of the service', async () => {
    const { browser, signedUp } = await remembered();
    expect((await browser.get('/auth/session', { 'X-Scribble': 'yes' })).body.session.kind).toBe('recovery');
    expect((await service.check(browser)).body.session).toEqual(signedUp.body.session);
  });
});

test('a token that nobody has is asked for every time, and refused', async () => {
  await remembered();
  const browser = service.browser(new Map([['latchkey', 'A'.repeat(43)]]));
  for (let n = 1; n <= 3; n += 1) {
    expectProblem(await browser.get('/auth/session'), 'not_authenticated');
    expect(statements).toHaveLength(n);
  }
});
