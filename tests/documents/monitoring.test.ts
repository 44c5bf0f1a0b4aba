import { Router } from '@koa/router';
import type { AuthService } from 'latchkey';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../examples/server/metrics/registry.ts';
import { logIn, signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';
import { runShell } from './support/shell-blocks.ts';

const guide = readGuide('docs/guides/monitoring.md');

const router = new Router();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, (app) => app.use(router.routes()));
  await runStatements(guide.block('/readyz'), { router, auth: service.auth });
  const { createMetrics: create } = await importBlocks({ 'metrics.js': guide.block('new Counter') });
  await runStatements(guide.block("'/metrics'"), { router, auth: service.auth, createMetrics: create });
});
afterAll(() => service.close());

const read = async (path: string) => {
  const response = await fetch(service.url + path);
  return { status: response.status, text: await response.text() };
};

test('the health checks respond, and only the readiness depends on the database', async () => {
  expect((await read('/healthz')).status).toBe(200);
  expect(await read('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' });
  const isReady = vi.spyOn(service.auth, 'isReady').mockResolvedValue(false);
  expect((await read('/readyz')).status).toBe(503);
  expect((await read('/healthz')).status).toBe(200);
  isReady.mockRestore();
});

test('the metrics of the guide count sign-ins by their outcome', async () => {
  const { authenticator } = await signUp(service);
  await logIn(service.browser(), authenticator);
  await logIn(service.browser(), authenticator, {
    tamper: { clientData: { origin: 'https://evil.example' } },
  });
  const { text } = await read('/metrics');
  expect(text).toContain('latchkey_operations_total{operation="finishLogin",status="200",code=""} 1\n');
  expect(text).toContain('operation="finishLogin",status="401",code="authentication_failed"} 1\n');
  expect(text).toContain('latchkey_rate_limits_shared 0\n');
  expect(text).toContain('latchkey_audit_log_waiting_seconds 0\n');
});

test('the alerts use only metrics and labels of the example server', async () => {
  const { registry } = createMetrics(service.auth);
  const text = await registry.metrics();
  const names = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const { groups } = parse(guide.block('alert: SignInsFail'));
  const rules = groups.flatMap(({ rules }: { rules: { alert: string; expr: string }[] }) => rules);
  expect(rules).toHaveLength(7);
  for (const { alert, expr } of rules) {
    const [, name, labels = ''] = /(latchkey_\w+)(?:\{(.*?)\})?/.exec(expr) ?? [];
    expect([alert, names.has(`${name}`)]).toEqual([alert, true]);
    for (const [, label] of labels.matchAll(/(\w+)=~?"/g))
      expect([alert, text]).toEqual([alert, expect.stringMatching(`${name}\\{[^}]*\\b${label}=`)]);
  }
});

test('the log of the guide is a logger of the service', async () => {
  vi.stubEnv('DATABASE_URL', service.database.url);
  vi.stubEnv('JWT_SECRET', secret);
  const { auth } = (await importBlocks({ 'auth.js': guide.block("from 'pino'") })) as { auth: AuthService };
  vi.unstubAllEnvs();
  expect(await auth.isReady()).toBe(true);
  await auth.close();
});

test('the first regular check exits with 2 because of a warning, and the second fails only after an event was changed', async () => {
  const { sql, url } = service.database;
  await sequence(sql);
  const [doctor = '', verify = ''] = guide.block('latchkey doctor').trim().split('\n');
  const env = { DATABASE_URL: url };
  // Warns about the settings of this test.
  expect((await runShell(doctor, { env })).exitCode).toBe(2);
  expect((await runShell(verify, { env })).exitCode).toBe(0);
  await sql.begin(async (statements) => {
    await statements.unsafe('alter table latchkey.audit_events disable trigger audit_events_append_only');
    await statements`update latchkey.audit_events set ip = '203.0.113.9' where event = 'account.signup'`;
  });
  expect((await runShell(verify, { env })).exitCode).toBe(3);
});

test('this repository tests the code with the package that the guide installs', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  expect(manifest.devDependencies).toHaveProperty(guide.block('npm install').trim().split(' ').at(-1) ?? '');
});
