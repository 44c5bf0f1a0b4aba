import Koa from 'koa';
import { type AuthService, requirePermission, requireRole, requireSession } from 'latchkey';
import { createTestAuthService } from 'latchkey/testing';
import { describe, expect, test } from 'vitest';
import { watchedDatabase } from './support/watched-database.ts';

describe('the app under test', () => {
  test('receives the service and its clock, and can work without the endpoints of the service', async () => {
    const capabilities = { user: { 'report:read': 'joined' } } as const;
    const guarded = await createTestAuthService({
      capabilities,
      app: async (auth, clock) => {
        const app = new Koa();
        app.use(requirePermission(auth, 'report:read', ({ path }) => ({ organizationId: path.slice(1) })));
        app.use((ctx) => {
          ctx.body = { at: clock.now(), by: ctx.state.auth.user.username };
        });
        return app;
      },
    });
    const engines = await guarded.organization();
    const ada = await guarded.signedInAs('user', { username: 'ada', memberOf: [engines] });
    guarded.clock.advance({ hours: 1 });
    expect((await ada.get(`/${engines.id}`)).body).toEqual({
      at: guarded.clock.now().toISOString(),
      by: 'ada',
    });
    await ada.stepUp();
    expect((await ada.get(`/${engines.id}`)).status).toBe(200);
    expect((await (await guarded.signedInAs('admin')).get(`/${engines.id}`)).status).toBe(404);
    expect((await guarded.visitor().get('/auth/session')).status).toBe(401);
    const principal = await guarded.auth.principalOf(ada.user.id);
    expect(principal && guarded.auth.can(principal, 'report:read', { organizationId: engines.id })).toBe(
      true,
    );
    await guarded.close();
  });

  test('can use Koa 2', async () => {
    // Koa 2 is installed under an alias, and TypeScript uses the types of Koa 3.
    const { default: Koa2 } = (await import('koa2' as string)) as { default: typeof Koa };
    const app = (auth: AuthService) =>
      new Koa2().use(requireRole(auth, 'admin')).use((ctx) => {
        ctx.body = 'figures';
      });
    const on2 = await createTestAuthService({ app });
    expect((await (await on2.signedInAs('admin')).get('/')).body).toBe('figures');
    expect((await (await on2.signedInAs('user')).get('/')).status).toBe(403);
    await on2.close();
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no such app')), Error, 'no such app'],
    ['is not a Koa app', () => ({}) as Koa, TypeError, 'app: expected a function that returns a Koa app'],
    ['is undefined', () => undefined as unknown as Koa, TypeError, 'app: expected a function that returns'],
  ])('that %s causes an error and closes the service', async (_, app, Kind, message) => {
    const { database, closed } = watchedDatabase();
    const failing = createTestAuthService({ database, app });
    await expect(failing).rejects.toThrow(Kind);
    await expect(failing).rejects.toThrow(message);
    expect(closed()).toBe(1);
  });
});

describe('closing a test service', () => {
  test('closes the service, the app and the database', async () => {
    const { database, closed } = watchedDatabase();
    const app = (auth: AuthService) => new Koa().use(requireSession(auth));
    const { signedInAs, visitor, close } = await createTestAuthService({ database, app });
    const [ada, used] = [await signedInAs('user'), visitor()];
    await used.get('/');
    await close();
    await expect(used.get('/')).rejects.toThrow('this test service is closed');
    await expect(visitor().get('/')).rejects.toThrow('this test service is closed');
    await expect(ada.signIn()).rejects.toThrow('this test service is closed');
    expect(closed()).toBe(1);
  });

  test('does not wait for a pending response', async () => {
    let reached = () => {};
    const waiting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const app = () =>
      new Koa().use(() => {
        reached();
        return new Promise(() => {});
      });
    const silent = await createTestAuthService({ app });
    const answer = silent
      .visitor()
      .get('/')
      .catch((error: Error) => error);
    await waiting;
    await silent.close();
    expect(await answer).toBeInstanceOf(Error);
  });

  test('does not affect another service', async () => {
    const [one, other] = [await createTestAuthService(), await createTestAuthService()];
    const [here, there] = [
      await one.signedInAs('user', { username: 'ada' }),
      await other.signedInAs('user', { username: 'ada' }),
    ];
    expect(here.user.id).not.toBe(there.user.id);
    expect((await one.visitor().get('/auth/session', { Cookie: there.cookie })).status).toBe(401);
    await other.close();
    expect((await here.get('/auth/session')).status).toBe(200);
    await one.close();
  });
});
