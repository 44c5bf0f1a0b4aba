import Koa from 'koa';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { identifyRequests } from '../../examples/server/request-id.ts';
import { logRequests } from '../../examples/server/request-log.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';

/** Serves an app that logs its requests. `log` contains the written lines. */
async function startLogging(level = 'info') {
  const log: string[] = [];
  const app = new Koa();
  app.silent = true;
  app.use(identifyRequests(0));
  app.use(logRequests(pino({ level }, { write: (line) => void log.push(line) })));
  app.use((ctx) => {
    if (ctx.path === '/broken') throw new Error('unexpected');
    ctx.set('Set-Cookie', 'latchkey=a-new-token');
    ctx.body = { token: 'a-token-in-the-response' };
  });
  const { url, close } = await serve(app);
  onTestFinished(close);
  return { log, url };
}

test('a request is logged with its method, path, status and id, and without secrets', async () => {
  const { log, url } = await startLogging();
  const { headers } = await send(url, '/recover?token=a-token-in-the-query', {
    method: 'POST',
    headers: {
      Cookie: 'latchkey=a-session-token',
      Authorization: 'Bearer a-service-token',
      Referer: 'http://localhost/?a-token-in-the-referrer',
      'Content-Type': 'application/json',
    },
    body: '{"password":"a-password"}',
  });
  await eventually(() => log.length > 0);
  expect(JSON.parse(`${log[0]}`)).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    requestId: headers['x-request-id'],
    method: 'POST',
    path: '/recover',
    status: 200,
    ms: expect.any(Number),
    msg: 'request',
  });
  expect(log.join('')).not.toMatch(/token|password|Bearer|cookie/i);
});

test('a request that fails is logged with the status 500', async () => {
  const { log, url } = await startLogging();
  await send(url, '/broken');
  await eventually(() => log.length > 0);
  expect(JSON.parse(`${log[0]}`)).toMatchObject({ path: '/broken', status: 500 });
});

test('health checks are logged only at the level debug', async () => {
  for (const [level, paths] of [
    ['info', ['/']],
    ['debug', ['/healthz', '/readyz', '/']],
  ] as const) {
    const { log, url } = await startLogging(level);
    for (const path of ['/healthz', '/readyz', '/']) await send(url, path);
    await eventually(() => log.some((line) => JSON.parse(line).path === '/'));
    expect(log.map((line) => JSON.parse(line).path)).toEqual(paths);
  }
});
