import { text } from 'node:stream/consumers';
import Koa, { type Context } from 'koa';
import { requireSession } from 'latchkey';
import { createTestAuthService, type TestAuthService } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const answers: Record<string, (ctx: Context) => unknown> = {
  '/text': (ctx) => {
    ctx.body = 'plain';
  },
  '/problem': (ctx) => {
    ctx.status = 409;
    ctx.type = 'application/problem+json';
    ctx.body = '{"code":"taken"}';
  },
  '/nothing': (ctx) => {
    ctx.status = 204;
  },
  '/elsewhere': (ctx) => ctx.redirect('/text'),
  '/cookies': (ctx) => {
    ctx.append('Set-Cookie', 'first = a=b ; Path=/; HttpOnly');
    ctx.append('Set-Cookie', 'second=2; Secure; SameSite=Lax');
    ctx.append('Set-Cookie', 'empty=');
    ctx.status = 204;
  },
  '/forget': (ctx) => {
    ctx.append('Set-Cookie', 'first=; Max-Age=0; Expires=Fri, 31 Dec 9999 23:59:59 GMT');
    ctx.cookies.set('second');
    ctx.status = 204;
  },
  '/replace': (ctx) => {
    ctx.append('Set-Cookie', 'first=new');
    ctx.status = 204;
  },
};

let kit: TestAuthService;
beforeAll(async () => {
  kit = await createTestAuthService({
    app: (auth) => {
      const app = new Koa();
      app.use(async (ctx, next) => {
        const answer = answers[ctx.path];
        if (answer) return answer(ctx);
        if (ctx.path === '/guarded') return next();
        const { method, url, headers } = ctx;
        ctx.body = { method, url, headers, body: await text(ctx.req) } satisfies {
          [K in keyof Echo]: unknown;
        };
      });
      app.use(requireSession(auth)).use((ctx) => {
        ctx.body = ctx.state.auth.user.username;
      });
      return app;
    },
  });
});
afterAll(() => kit.close());

describe('a request of a test agent', () => {
  test('has the origin headers of a browser', async () => {
    const visitor = kit.visitor();
    const read = (await visitor.get<Echo>('/echo?x=1')).body;
    expect(read).toMatchObject({ method: 'GET', url: '/echo?x=1', body: '' });
    expect(read.headers).toMatchObject({ host: 'localhost:3000', 'sec-fetch-site': 'same-origin' });
    expect(read.headers).not.toHaveProperty('origin');
    expect(read.headers).not.toHaveProperty('cookie');
    const { headers } = (await visitor.post<Echo>('/echo')).body;
    expect(headers).toMatchObject({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' });
  });

  test.each(['post', 'put', 'patch', 'delete'] as const)(
    'with the method %s can have a JSON body or no body',
    async (method) => {
      const agent = kit.visitor();
      const sent = (await agent[method]<Echo>('/echo', { a: ['é'] }, { 'X-Test': 'yes' })).body;
      expect(sent).toMatchObject({ method: method.toUpperCase(), body: '{"a":["é"]}' });
      expect(sent.headers).toMatchObject({ 'content-type': 'application/json', 'x-test': 'yes' });
      const bare = (await agent[method]<Echo>('/echo', undefined, { 'X-Test': 'yes' })).body;
      expect(bare).toMatchObject({ body: '', headers: { 'x-test': 'yes' } });
      expect(bare.headers).not.toHaveProperty('content-type');
      expect((await agent[method]<Echo>('/echo', null)).body.body).toBe('null');
    },
  );

  test('can have another origin, which the guards reject', async () => {
    const ada = await kit.signedInAs('user', { username: 'ada' });
    expect((await ada.post('/guarded')).body).toBe('ada');
    expect((await ada.post('/guarded', {}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ada.post('/guarded', {}, { Origin: '', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ada.get('/guarded', { Cookie: '' })).status).toBe(401);
  });

  test('has exactly the cookies in `cookie`: the binding cookie and, when signed in, the session cookie', async () => {
    const agent = await kit.signedInAs('user');
    expect(agent.cookie).toMatch(/^latchkey-binding=[\w.~-]+; latchkey=[\w-]+$/);
    expect((await agent.get<Echo>('/echo')).body.headers.cookie).toBe(agent.cookie);
    const token = /latchkey=([\w-]+)$/.exec(agent.cookie)?.[1] ?? null;
    expect(await kit.auth.sessionOf({ cookie: agent.cookie })).toMatchObject({ user: { id: agent.user.id } });
    await agent.stepUp();
    expect(agent.cookie).not.toContain(`${token}`);
    expect((await agent.get('/guarded')).status).toBe(200);
    await agent.signOut();
    expect(agent.cookie).toMatch(/^latchkey-binding=[\w.~-]+$/);
  });

  test.each(['reports', 'http://localhost:3000/x', 'https://evil.example/', '//evil.example/x', ''])(
    'cannot have %j as its path',
    async (path) => {
      await expect(kit.visitor().get(path)).rejects.toThrow(`expected a path such as /reports, not ${path}`);
    },
  );

  test('does not use the global fetch, because a test may replace it', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('stubbed')));
    try {
      const agent = await kit.signedInAs('user');
      expect((await agent.get('/text')).body).toBe('plain');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('a response', () => {
  test('is read as JSON, text or null', async () => {
    const visitor = kit.visitor();
    expect(await visitor.get('/text')).toMatchObject({ status: 200, body: 'plain' });
    expect(await visitor.get('/problem')).toMatchObject({ status: 409, body: { code: 'taken' } });
    const { status, body, headers } = await visitor.get('/nothing');
    expect([status, body, headers.get('content-type')]).toEqual([204, null, null]);
    expect(await visitor.get('/elsewhere')).toMatchObject({ status: 302 });
    expect((await visitor.get('/elsewhere')).headers.get('Location')).toBe('/text');
  });

  test('sets, replaces and deletes cookies', async () => {
    const visitor = kit.visitor();
    const answer = await visitor.get('/cookies');
    expect(answer.headers.getSetCookie()).toHaveLength(3);
    expect(visitor.cookie).toBe('first=a=b; second=2; empty=');
    await visitor.get('/replace');
    expect(visitor.cookie).toBe('first=new; second=2; empty=');
    await visitor.get('/forget');
    expect(visitor.cookie).toBe('empty=');
    expect(kit.visitor().cookie).toBe('');
  });
});

describe('fetch', () => {
  test('sends forms with the cookies and headers of the agent', async () => {
    const agent = await kit.signedInAs('user');
    const form = new FormData();
    form.set('file', new Blob(['content']), 'report.txt');
    const sent = (await (await agent.fetch('/echo', { method: 'POST', body: form })).json()) as Echo;
    expect(sent.body).toContain('filename="report.txt"');
    expect(sent.headers).toMatchObject({ origin: 'http://localhost:3000', cookie: agent.cookie });
    const query = { method: 'PUT', body: new URLSearchParams({ a: '1' }) };
    expect(await (await agent.fetch('/echo', query)).json()).toMatchObject({ method: 'PUT', body: 'a=1' });
  });

  test('returns a Response and stores its cookies', async () => {
    const visitor = kit.visitor();
    const response = await visitor.fetch('/cookies', { method: 'HEAD' });
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.statusText, await response.text()]).toEqual([204, 'No Content', '']);
    expect(visitor.cookie).toContain('second=2');
    expect((await visitor.fetch('/text', { method: 'HEAD' })).headers.get('Content-Length')).toBe('5');
  });

  test('can be aborted', async () => {
    const signal = AbortSignal.abort(new Error('aborted'));
    await expect(kit.visitor().fetch('/text', { signal })).rejects.toThrow();
  });
});
