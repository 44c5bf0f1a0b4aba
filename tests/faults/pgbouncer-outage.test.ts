import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { findPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';
import { serves, startLoad, visitor } from './support/load.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { type ServingProcess, startServing } from './support/serving-process.ts';

const program = findPgBouncer();

describe.skipIf(program === null)('behind PgBouncer, a process survives a PostgreSQL server that', () => {
  let server: OwnPostgres;
  // PostgreSQL may restart on another port, so PgBouncer connects through a proxy.
  let proxy: DatabaseProxy;
  let pooler: PgBouncer;
  let serving: ServingProcess;
  beforeAll(async () => {
    server = await startOwnPostgres();
    proxy = await startDatabaseProxy(server.url());
    pooler = await startPgBouncer(`${program}`, proxy.url, ['server_login_retry = 1']);
    serving = await startServing('url', `${pooler.url}?prepare=false`);
  });
  afterAll(async () => {
    await serving.stop();
    await pooler.remove();
    await proxy.close();
    await server.remove();
  });

  test('crashes and restarts under load: every response is 200 or 503, and the service recovers', async () => {
    const person = await visitor(serving);
    const began = performance.now();
    const load = startLoad(serving, person);
    await eventually(() => (load.answers.get(200) ?? 0) > 50);
    await server.crash();
    const before = load.answers.get(503) ?? 0;
    await eventually(() => (load.answers.get(503) ?? 0) > before + 200 || serving.exitReport() !== null);
    expect(serving.exitReport()).toBeNull();
    await server.start();
    proxy.redirect(server.url());
    await eventually(() => serves(serving, person));
    await load.stop();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(
      `outage behind PgBouncer: answers ${JSON.stringify([...load.answers])}, ${seconds} s\n`,
    );
    expect(serving.exitReport()).toBeNull();
    expect(load.wrong).toEqual([]);
  });
});
