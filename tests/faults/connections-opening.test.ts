import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { describe, type onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { type Load, serves, startLoad, visitor } from './support/load.ts';
import { type ServingProcess, startServing } from './support/serving-process.ts';
import { startStartUpProxy } from './support/start-up-proxy.ts';

/** Registers a cleanup. Each concurrent test needs the `onTestFinished` of its own context. */
type Finally = typeof onTestFinished;

async function newDatabase(after: Finally) {
  const database = await createTestDatabase();
  after(() => database.drop());
  return database;
}

async function newProxy(after: Finally) {
  const { url } = await newDatabase(after);
  const proxy = await startStartUpProxy(url);
  after(() => proxy.close());
  return proxy;
}

async function serve(after: Finally, ...given: Parameters<typeof startServing>): Promise<ServingProcess> {
  const serving = await startServing(...given);
  after(() => serving.stop());
  return serving;
}

const hasExited = (serving: ServingProcess) => serving.exitReport() !== null;

function report(what: string, count: number, { answers }: Load, began: number): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${what}: ${count}, answers ${JSON.stringify([...answers])}, ${seconds} s\n`);
}

describe('under load, a process survives terminated backends', () => {
  test.for([
    ['a URL', 'url', {}, 40],
    ['a postgres.js client that does not fetch types', 'postgres', { fetch_types: false }, 20],
    ['a pg pool without an error listener', 'pg', {}, 20],
  ] as const)(
    'and every response is 200 or 503 (option `database`: %s)',
    async ([, adapter, options, wanted], { expect, onTestFinished }) => {
      const database = await newDatabase(onTestFinished);
      const serving = await serve(onTestFinished, adapter, database.url, options);
      const person = await visitor(serving);
      // The query below terminates all connections except its own. So this client may open only one connection.
      const admin = postgres(database.url, { max: 1, onnotice: () => {} });
      onTestFinished(() => admin.end({ timeout: 1 }));
      const began = performance.now();
      const load = startLoad(serving, person);
      let terminated = 0;
      const isEnough = () => terminated >= wanted && load.answers.has(503);
      while (!isEnough() && !hasExited(serving)) {
        const ended = await admin`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
        terminated += ended.length;
      }
      await load.stop();
      report('terminated backends', terminated, load, began);
      expect(serving.exitReport()).toBeNull();
      expect(load.wrong).toEqual([]);
      expect(load.answers.get(503)).toBeGreaterThan(0);
      await eventually(() => serves(serving, person));
    },
  );
});

test('under load, a process survives connections that break at any step of their startup: every response is 200 or 503', async ({
  expect,
  onTestFinished,
}) => {
  const proxy = await newProxy(onTestFinished);
  const serving = await serve(onTestFinished, 'url', proxy.url);
  const person = await visitor(serving);
  const began = performance.now();
  const load = startLoad(serving, person);
  // A connection's startup consists of six chunks of data. The seventh chunk is the first statement.
  proxy.decide = (connection) => ({
    after: connection % 3 === 0 ? 40 : connection % 12,
    how: connection % 2 === 0 ? 'reset' : 'end',
  });
  proxy.breakAll();
  await eventually(() => (proxy.failed >= 40 && load.answers.has(503)) || hasExited(serving));
  await load.stop();
  report('broken connections', proxy.failed, load, began);
  expect(serving.exitReport()).toBeNull();
  expect(load.wrong).toEqual([]);
  expect(load.answers.get(503)).toBeGreaterThan(0);
  proxy.decide = () => null;
  proxy.breakAll();
  await eventually(() => serves(serving, person));
});

describe.concurrent('a process whose database hangs', () => {
  test.for([
    ['when a connection sends its first statement', 6],
    ['when a connection sends its password', 1],
  ] as const)('%s returns 503 and later recovers', async ([, after], { expect, onTestFinished }) => {
    const proxy = await newProxy(onTestFinished);
    const serving = await serve(onTestFinished, 'url', proxy.url);
    const person = await visitor(serving);
    const began = performance.now();
    proxy.decide = () => ({ after, how: 'silence' });
    proxy.breakAll();
    const load = startLoad(serving, person);
    await eventually(() => (load.answers.get(503) ?? 0) >= 16 || hasExited(serving));
    await load.stop();
    proxy.decide = () => null;
    // The service replaces the hanging pool and closes the pool's connections.
    await eventually(() => proxy.open() === 0 || hasExited(serving));
    report('hung connections', proxy.failed, load, began);
    expect(serving.exitReport()).toBeNull();
    expect(load.wrong).toEqual([]);
    await eventually(() => serves(serving, person));
  });
});
