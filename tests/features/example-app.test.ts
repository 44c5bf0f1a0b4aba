import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, type ServerState } from '../../examples/server/app.ts';
import { latchkeyBrand } from '../../examples/server/brand/setting.ts';
import { fileCapabilities } from '../../examples/server/files/capabilities.ts';
import { type FileStore, openFiles } from '../../examples/server/files/store.ts';
import { Readiness } from '../../examples/server/readiness.ts';
import { send } from '../support/raw-request.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

interface RunningApp extends ServedApp {
  service: TestService;
  files: FileStore;
  state: ServerState;
}

async function startApp(options: Parameters<typeof startTestService>[0] = {}): Promise<RunningApp> {
  const service = await startTestService({ ...options, capabilities: fileCapabilities });
  const files = await openFiles(service.database.url);
  const state: ServerState = {
    trustedProxies: 0,
    rateLimit: false,
    readiness: new Readiness(),
    brand: latchkeyBrand,
    metrics: null,
    stopping: false,
  };
  const app = createApp(service.auth, files, pino({ level: 'silent' }), state);
  app.silent = true;
  return { ...(await serve(app)), service, files, state };
}

async function stopApp({ close, files, service }: RunningApp) {
  await close();
  await files.close();
  await service.close();
}

let plain: RunningApp;
let secure: RunningApp;
beforeAll(async () => {
  plain = await startApp();
  secure = await startApp({ origins: 'https://example.com', rpId: 'example.com' });
});
afterAll(() => Promise.all([plain, secure].map(stopApp)));

describe('every response', () => {
  const paths = ['/', '/nothing', '/assets/favicon.svg', '/auth/session', '/api/files'];

  test('has the security headers of the example', async () => {
    for (const path of paths) {
      const { headers } = await send(plain.url, path, { headers: { Accept: 'text/html' } });
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none';.* frame-ancestors 'none'(; sandbox)?$/,
        ),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
        'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('requires https for a year only if the origin is an https origin', async () => {
    for (const path of paths) {
      expect((await send(plain.url, path)).headers['strict-transport-security']).toBeUndefined();
      expect((await send(secure.url, path)).headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  test('closes its connection while the server stops', async () => {
    const read = async () =>
      Promise.all(
        ['/healthz', ...paths].map(
          async (path) =>
            (await send(plain.url, path, { headers: { Connection: 'keep-alive' } })).headers.connection,
        ),
      );
    expect(new Set(await read())).toEqual(new Set(['keep-alive']));
    plain.state.stopping = true;
    expect(new Set(await read())).toEqual(new Set(['close']));
    plain.state.stopping = false;
  });
});

describe('/readyz returns 503', () => {
  const status = async ({ url }: RunningApp) => (await send(url, '/readyz')).status;

  test('while the database has no schema', async () => {
    expect(await status(plain)).toBe(200);
    await plain.service.database.sql`alter schema latchkey rename to mislaid`;
    expect(await status(plain)).toBe(503);
    await plain.service.database.sql`alter schema mislaid rename to latchkey`;
    expect(await status(plain)).toBe(200);
  });

  test('after the server begins to stop, but the process is still up', async () => {
    expect(await status(secure)).toBe(200);
    const stopped = secure.state.readiness.stop();
    expect(await status(secure)).toBe(503);
    expect((await send(secure.url, '/healthz')).status).toBe(200);
    await stopped;
  });
});

describe('/api/setup', () => {
  const read = ({ url }: RunningApp) => send(url, '/api/setup');

  test('says in development whether the first superadmin is missing', async () => {
    expect((await read(plain)).body).toEqual({ needsSuperadmin: true });
    await plain.service.auth
      .asOperator('test')
      .bootstrap({ username: 'root', password: 'a long password 7' });
    expect((await read(plain)).body).toEqual({ needsSuperadmin: false });
  });

  test('does not exist in production', async () => {
    expect(secure.service.auth.config.production).toBe(true);
    expect((await read(secure)).status).toBe(404);
  });
});
