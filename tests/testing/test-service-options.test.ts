import type { Database, Logger } from 'latchkey';
import { createInMemoryDatabase, createTestAuthService } from 'latchkey/testing';
import { expect, test, vi } from 'vitest';

test('options are passed to the service', async () => {
  const logged: string[] = [];
  const warn: Logger['warn'] = (_, message) => logged.push(message);
  const log: Logger = { info: () => {}, warn, error: warn };
  const limits = { read: { address: { max: 3, seconds: 60 } } };
  const changed = await createTestAuthService({
    origins: 'https://app.example',
    rpId: 'app.example',
    rpName: 'Reports',
    rateLimit: true,
    rateLimits: limits,
    log,
  });
  expect(changed.auth.config).toMatchObject({ production: true, rpName: 'Reports' });
  const ada = await changed.signedInAs('user');
  expect(ada.cookie).toContain('__Host-latchkey=');
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await ada.get('/auth/session')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(logged).toEqual(['rate limit exceeded, so requests are rejected until the window ends']);
  changed.clock.advance({ minutes: 1 });
  expect((await ada.get('/auth/session')).status).toBe(200);
  await changed.close();
});

test('options with the value undefined are treated as missing', async () => {
  const { auth, signedInAs, close } = await createTestAuthService({
    env: undefined,
    secret: undefined,
    log: undefined,
    app: undefined,
    database: undefined,
  });
  const byDefault = await createTestAuthService();
  expect(auth.config).toEqual(byDefault.auth.config);
  await byDefault.close();
  expect((await (await signedInAs('user')).get('/auth/session')).status).toBe(200);
  await close();
});

test('by default, the service runs on localhost and has no rate limits', async () => {
  const { auth, visitor, close } = await createTestAuthService();
  expect(auth.config).toMatchObject({ origins: ['http://localhost:3000'], rpId: 'localhost' });
  const browser = visitor();
  const ceremony = () => browser.post('/auth/passkey/login/start', { username: 'ada' });
  const answers = await Promise.all(Array.from({ length: 70 }, ceremony));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await close();
});

test.each([
  ['4 (the minimum)', {}, 4],
  ['10 (the minimum in production)', { origins: 'https://app.example', rpId: 'app.example' }, 10],
  ['5 (the given option)', { bcryptCost: 5 }, 5],
])('passwords are hashed with a cost of %s', async (_, options, cost) => {
  const memory = createInMemoryDatabase();
  const sent: unknown[] = [];
  const query: Database['query'] = (statement) => {
    sent.push(...statement.values);
    return memory.query(statement);
  };
  const { signedInAs, close } = await createTestAuthService({ ...options, database: { query } });
  const ada = await signedInAs('user');
  expect((await ada.post('/auth/password/add', { password: 'a fallback, spelled out' })).status).toBe(201);
  const [hash] = sent.filter((value) => /\$2b\$/.test(`${value}`));
  expect(hash).toMatch(new RegExp(`\\$2b\\$${String(cost).padStart(2, '0')}\\$`));
  await close();
});

test('by default, only errors are logged', async () => {
  const memory = createInMemoryDatabase();
  let away = false;
  const query: Database['query'] = (statement) =>
    away ? Promise.reject(Object.assign(new Error('gone'), { code: '08006' })) : memory.query(statement);
  const { visitor, close } = await createTestAuthService({ database: { query } });
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const foreign = { Origin: 'https://evil.example' };
    expect((await visitor().post('/auth/passkey/login/start', {}, foreign)).status).toBe(403);
    expect(written).not.toHaveBeenCalled();
    away = true;
    expect((await visitor().get('/auth/username/availability?username=ada')).status).toBe(503);
    expect(written).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"level":"error"'));
  } finally {
    written.mockRestore();
    await close();
  }
});

test.each([
  ['its own secret by default', undefined, 401],
  ['the given secret', 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr', 200],
])('the service encrypts challenges with %s', async (_, secret, status) => {
  const database = createInMemoryDatabase();
  const here = await createTestAuthService({ database, secret });
  const there = await createTestAuthService({ database, secret });
  const { authenticator } = await here.signedInAs('user');
  const visitor = here.visitor();
  type Start = { options: Parameters<typeof authenticator.get>[0] };
  const { options } = (await visitor.post<Start>('/auth/passkey/login/start')).body;
  const credential = await authenticator.get(options);
  const finish = ['/auth/passkey/login/verify', { credential }, { Cookie: visitor.cookie }] as const;
  expect((await there.visitor().post(...finish)).status).toBe(status);
  expect((await here.visitor().post(...finish)).status).toBe(status === 200 ? 401 : 200);
  await Promise.all([here.close(), there.close()]);
});
