import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/opentelemetry.md');
const setUp = guide.block('NodeSDK');
const install = guide.block('npm install');
const start = guide.block('node --import');

/**
 * Replaces the two packages of the guide that this repository does not install, because they need 90 MB. This SDK has the
 * same classes, and prints the finished spans.
 */
const packages = {
  '@opentelemetry/sdk-node': `
    import { context, trace } from '@opentelemetry/api';
    import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
    import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
    const print = ([{ name, attributes }], done) => (console.log(JSON.stringify({ name, attributes })), done({ code: 0 }));
    export class NodeSDK {
      start() {
        context.setGlobalContextManager(new AsyncLocalStorageContextManager());
        const spanProcessors = [new SimpleSpanProcessor({ export: print, shutdown: async () => {} })];
        trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
      }
    }`,
  '@opentelemetry/instrumentation-http': 'export class HttpInstrumentation {}',
};

const app = `
  import { createServer } from 'node:http';
  import { createAuthService, toNodeHandler } from 'latchkey';
  const auth = await createAuthService();
  const server = createServer(toNodeHandler(auth)).listen(0, async () => {
    const origin = 'http://localhost:3000';
    const headers = { 'Content-Type': 'application/json', origin };
    const url = 'http://127.0.0.1:' + server.address().port + '/auth/password/login';
    await fetch(url, { method: 'POST', headers, body: '{"username":"ada","password":"a wrong password"}' });
    server.close();
    server.closeAllConnections();
    await auth.close();
  });`;

test('the guide installs the packages that its code imports', () => {
  const imported = [...setUp.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(install.trim().split(' ').slice(2).sort()).toEqual(['@opentelemetry/api', ...imported].sort());
});

test('an app that starts as in the guide reports spans of its requests and statements', async () => {
  const database = await createTestDatabase();
  // Inside the repository, so that the app can import the package.
  const parent = fileURLToPath(new URL('.blocks/', import.meta.url));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'opentelemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(packages).flatMap(([name, code]) => [
    [`node_modules/${name}/index.js`, code],
    [`node_modules/${name}/package.json`, '{ "type": "module", "exports": "./index.js" }'],
  ]);
  for (const [name = '', text = ''] of [...files, ['telemetry.js', setUp], ['app.js', app]]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { exitCode, stdout } = await runShell(start, { folder, env: { DATABASE_URL: database.url } });
  expect(exitCode).toBe(0);
  const spans = stdout
    .split('\n')
    .filter((line) => line.startsWith('{"name"'))
    .map((line) => JSON.parse(line));
  expect(spans).toContainEqual(expect.objectContaining({ name: 'POST /auth/password/login' }));
  expect(spans).toContainEqual(
    expect.objectContaining({
      attributes: expect.objectContaining({ 'latchkey.outcome': 'authentication_failed' }),
    }),
  );
  expect(spans.some(({ attributes }) => 'db.query.summary' in attributes)).toBe(true);
  await database.drop();
});
