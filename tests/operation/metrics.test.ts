import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ExampleServer,
  freePort,
  runExampleServer,
  startExampleServer,
} from '../support/example-server.ts';
import { logIn, newAuthenticator, signUp } from '../support/person.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';

describe('the metrics server at the address METRICS_ADDR', () => {
  let database: TestDatabase;
  let server: ExampleServer;
  let metrics: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}`;
    server = await startExampleServer(database.url, { METRICS_ADDR: `127.0.0.1:${port}` });
  });
  afterAll(async () => {
    server.process.kill('SIGTERM');
    await server.exit;
    await database.drop();
  });

  const browser = () => createAgent(server.origin, server.origin);
  /** Reads the values of a metric. The keys are the labels as text. */
  const scrape = async (name: string): Promise<Record<string, number>> => {
    const lines = (await (await fetch(`${metrics}/metrics`)).text()).split('\n');
    const found = lines.flatMap((line) => {
      const [, metric, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return metric === name ? [[labels, Number(value)] as const] : [];
    });
    return Object.fromEntries(found);
  };

  test('counts ceremonies by outcome', async () => {
    const authenticator = newAuthenticator({ origin: server.origin });
    await signUp({ browser, url: server.origin }, { authenticator });
    await logIn(browser(), authenticator);
    await logIn(browser(), authenticator);
    await logIn(browser(), authenticator, { tamper: { clientData: { origin: 'https://evil.example' } } });
    expect(await scrape('latchkey_operations_total')).toMatchObject({
      'operation="finishSignUp",status="201",code=""': 1,
      'operation="finishLogin",status="200",code=""': 2,
      'operation="finishLogin",status="401",code="authentication_failed"': 1,
    });
  });

  test('counts session checks by source (cache or database), and shows the state of the listener', async () => {
    const { browser: ada } = await signUp(
      { browser, url: server.origin },
      { authenticator: newAuthenticator({ origin: server.origin }) },
    );
    await eventually(async () => {
      await ada.get('/auth/session');
      return (await scrape('latchkey_sessions_listening'))[''] === 1;
    });
    // The service reads a cached session again after five seconds, so an overloaded machine can need several tries.
    await eventually(async () => {
      const before = await scrape('latchkey_session_checks_total');
      await ada.get('/auth/session');
      const after = await scrape('latchkey_session_checks_total');
      const sum = (checks: Record<string, number>) => Object.values(checks).reduce((a, b) => a + b, 0);
      expect(sum(after)).toBe(sum(before) + 1);
      return after['source="cache"'] === Number(before['source="cache"']) + 1;
    });
    expect(await scrape('latchkey_sessions_cached')).toEqual({ '': 1 });
  });

  test('has metrics of the password queue, the database, requests and the process', async () => {
    expect(await scrape('latchkey_passwords')).toEqual({ 'state="running"': 0, 'state="waiting"': 0 });
    const statements = await scrape('latchkey_database_statements_total');
    expect(statements['outcome="succeeded"']).toBeGreaterThan(0);
    expect(statements['outcome="failed"']).toBe(0);
    // Background jobs run statements at any time.
    await eventually(async () => (await scrape('latchkey_database_statements_under_way'))[''] === 0);
    await eventually(async () => {
      const requests = await scrape('http_request_duration_seconds_count');
      return Number(requests['method="POST",status="201"']) >= 2;
    });
    expect((await scrape('process_resident_memory_bytes'))['']).toBeGreaterThan(0);
  });

  test('counts unknown methods under one label', async () => {
    await fetch(server.origin, { method: 'BREW' }).catch(() => {});
    await fetch(server.origin, { method: 'PROPFIND' });
    await eventually(async () =>
      Object.keys(await scrape('http_request_duration_seconds_count')).some((labels) =>
        labels.includes('method="other"'),
      ),
    );
  });

  test('serves only metrics, and the main port serves no metrics', async () => {
    expect((await fetch(`${metrics}/`)).status).toBe(404);
    expect((await fetch(`${metrics}/auth/session`)).status).toBe(404);
    expect((await fetch(`${metrics}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404);
  });
});

describe('the metrics server listens', () => {
  // On Linux, 127.0.0.2 also reaches this machine, but not a server that listens only on 127.0.0.1.
  test.each([
    ['only on the loopback address if METRICS_ADDR has no host', '', 'no connection'],
    ['on all addresses if METRICS_ADDR has the host 0.0.0.0', '0.0.0.0', 200],
  ])('%s', async (_, host, elsewhere) => {
    const database = await createTestDatabase();
    const port = await freePort();
    const server = await startExampleServer(database.url, { METRICS_ADDR: `${host}:${port}` });
    const statusAt = (address: string) =>
      fetch(`http://${address}:${port}/metrics`).then(
        ({ status }) => status,
        () => 'no connection',
      );
    const statuses = [await statusAt('127.0.0.1'), await statusAt('127.0.0.2')];
    server.process.kill('SIGTERM');
    await server.exit;
    await database.drop();
    expect(statuses).toEqual([200, elsewhere]);
  });
});

describe('the server does not start', () => {
  const start = (METRICS_ADDR: string) =>
    runExampleServer({
      DATABASE_URL: 'postgresql://user@127.0.0.1:1/none',
      JWT_SECRET: secret,
      METRICS_ADDR,
    });

  test.each(['9464', 'here', ':70000', 'a b:9464'])('with METRICS_ADDR %s', async (given) => {
    expect(await start(given)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        `  METRICS_ADDR: given "${given}"; expected :<port> or host:port, such as :9464 or 127.0.0.1:9464\n`,
      ),
    });
  });

  test('if the metrics port is in use', async () => {
    const database = await createTestDatabase();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await runExampleServer({
      DATABASE_URL: database.url,
      JWT_SECRET: secret,
      METRICS_ADDR: `127.0.0.1:${port}`,
    });
    other.close();
    await database.drop();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${port}`)]);
  });
});
