import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import Koa from 'koa';
import { type AuthRouterOptions, createAuthRouter, toFetchHandler, toNodeHandler } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitedServices } from '../support/limited-services.ts';
import { send } from '../support/raw-request.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { serveHandler } from './support/served-handler.ts';

const { default: Koa2 } = (await import('koa2' as string)) as { default: typeof Koa };
const file = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../dist/${path}`, import.meta.url)), 'utf8');
const filesOf = (folder: string) =>
  readdirSync(fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url)));
const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** The public modules for browsers, as paths below the prefix. */
const modules = Object.entries<{ default: string }>(exports)
  .filter(([name]) => /^\.\/(client|elements)/.test(name))
  .map(([, { default: path }]) => path.replace('./dist', ''));

const limited = limitedServices();
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const running: ServedApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
});
const runs = async (started: Promise<ServedApp>) => {
  const app = await started;
  running.push(app);
  return app.url;
};
const startKoa = (auth = service.auth, options?: AuthRouterOptions, Framework = Koa) => {
  const app = new Framework();
  app.silent = true;
  app.use(createAuthRouter(auth, options).routes());
  return runs(serve(app));
};

const servers: [name: string, start: () => Promise<string>][] = [
  ['Koa 3', () => startKoa()],
  ['Koa 2.16', () => startKoa(service.auth, {}, Koa2)],
  ['node:http', () => runs(serveHandler(toNodeHandler(service.auth)))],
  ['a Fetch API server', () => runs(serveHandler(getRequestListener(toFetchHandler(service.auth))))],
];

describe.each(servers)('on %s', (_, start) => {
  test('a browser gets every public module and every script that it imports', async () => {
    const url = await start();
    const imported = [...modules];
    for (const path of imported) {
      const { status, headers, text } = await send(url, `/auth${path}`);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/javascript; charset=utf-8']);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(text).toBe(file(path));
      for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)) {
        const target = posix.join(posix.dirname(path), name);
        if (!imported.includes(target)) imported.push(target);
      }
    }
    expect(modules).toHaveLength(7);
    // The elements share parts, and import the client.
    expect(imported.length).toBeGreaterThan(modules.length);
  });

  test('a browser that has the script gets 304 without a body', async () => {
    const url = await start();
    const path = '/auth/elements/index.js';
    const { headers } = await send(url, path);
    const etag = `${headers.etag}`;
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(etag).toMatch(/^"[\w-]{43}"$/);

    const same = await send(url, path, { headers: { 'If-None-Match': etag } });
    expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
    const older = await send(url, path, { headers: { 'If-None-Match': '"another"' } });
    expect([older.status, older.text]).toEqual([200, file('elements/index.js')]);
    const head = await send(url, path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag]);
  });

  test('no other file of the package is served', async () => {
    const url = await start();
    const others = [
      '/elements/index.d.ts',
      '/client/index.d.ts',
      '/elements/',
      '/elements/unknown.js',
      '/elements/index.js/',
      '/elements/../package/index.js',
      '/elements/..%2Fpackage%2Findex.js',
      '/elements/%2e%2e/package/index.js',
      '/package/index.js',
      '/cli/index.js',
      '/index.js',
      '/elements/__proto__.js',
    ];
    for (const path of others) {
      const { status, body } = await send(url, `/auth${path}`);
      expect([path, status, body?.code]).toEqual([path, 404, 'not_found']);
    }
    // The build of `npm run mutants` has no type declarations, but it has this file.
    expect(filesOf('package')).toContain('index.js');
    const posted = await send(url, '/auth/elements/index.js', { method: 'POST' });
    expect([posted.status, posted.body?.code]).toEqual([404, 'not_found']);
  });
});

test('the scripts have the prefix of the router', async () => {
  const url = await startKoa(service.auth, { prefix: '/api/accounts' });
  expect((await send(url, '/api/accounts/client/index.js')).text).toBe(file('client/index.js'));
  expect((await send(url, '/auth/client/index.js')).status).toBe(404);
});

test('a script needs no session and sets no cookie, whatever cookie the request has', async () => {
  const url = await startKoa();
  const before = service.auth.statistics().database.succeeded;
  const answer = await send(url, '/auth/elements/sign-in.js', { headers: { Cookie: 'latchkey=false' } });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  expect(service.auth.statistics().database.succeeded).toBe(before);
});

test('the rate limits do not count the scripts', async () => {
  const { auth } = await limited.start(service, {
    rateLimits: { read: { address: { max: 1, seconds: 60 } } },
  });
  const url = await startKoa(auth);
  const statusOf = async (path: string) => (await send(url, path)).status;
  for (const _ of '123') expect(await statusOf('/auth/elements/index.js')).toBe(200);
  expect([await statusOf('/auth/sign-up'), await statusOf('/auth/sign-up')]).toEqual([200, 429]);
  expect(await statusOf('/auth/elements/index.js')).toBe(200);
});

test('with `cors`, pages of the configured origins can load the scripts, and pages of other origins cannot', async () => {
  const url = await startKoa(service.auth, { cors: true });
  const allowed = async (from: string) =>
    (await send(url, '/auth/elements/index.js', { headers: { Origin: from } })).headers[
      'access-control-allow-origin'
    ];
  expect([await allowed(origin), await allowed('https://evil.example')]).toEqual([origin, undefined]);
});
