import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseWithRoles, type DatabaseWithRoles, rightsOf } from '../db/support/roles.ts';
import { createAgent } from '../support/agent.ts';
import { type ExampleServer, runExampleServer, startExampleServer } from '../support/example-server.ts';
import { newAuthenticator } from '../support/person.ts';
import { secret } from '../support/test-service.ts';
import { untilProxiesNotice } from '../support/without-time-limits.ts';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { buildLater, type LaterBuild, newest } from './support/later-build.ts';
import { isLost, type Load, putUnderLoad } from './support/load.ts';

const later = [newest + 1, newest + 2];

let compatible: LaterBuild;
let incompatible: LaterBuild;
beforeAll(async () => {
  [compatible, incompatible] = await Promise.all([buildLater(newest), buildLater(newest + 2)]);
});
afterAll(() => Promise.all([compatible, incompatible].map((build) => build?.remove())));

let own: DatabaseWithRoles;
let balancer: Balancer;
let running: ExampleServer[];
beforeEach(async () => {
  running = [];
  own = await createDatabaseWithRoles();
  // The example server creates a schema for its files.
  const database = new URL(own.database.url).pathname.slice(1);
  await own.database.sql.unsafe(`grant create on database ${database} to ${own.service}`);
  balancer = await startBalancer();
});
afterEach(async () => {
  for (const { process } of running) process.kill('SIGKILL');
  await Promise.all(running.map(({ exit }) => exit));
  await balancer.stop();
  await own.drop();
});

/** Each process migrates with the role that owns the schema, and serves with the other role. */
const environment = () => ({
  MIGRATION_DATABASE_URL: own.ownerUrl,
  WEBAUTHN_RP_ORIGIN: balancer.origin,
  TRUST_PROXY: '1',
  ...untilProxiesNotice,
});

/** Starts a process of this build, or of a later build, and waits until the balancer sends requests to it. */
async function start(build?: LaterBuild): Promise<ExampleServer> {
  const server = await startExampleServer(own.serviceUrl, environment(), undefined, build?.program);
  running.push(server);
  await balancer.add(server.origin);
  return server;
}

/** Stops a process as a deployment does, and checks that the process was ready until then. */
async function stop(server: ExampleServer): Promise<void> {
  const before = balancer.checksOf(server.origin);
  expect(before.slice(before.indexOf('ready'))).not.toContain('not ready');
  server.process.kill('SIGTERM');
  expect([await server.exit, server.output()]).toEqual([0, expect.any(String)]);
  balancer.remove(server.origin);
}

const recordedVersions = async () => {
  const rows = await own.database.sql<{ version: number }[]>`
    select version from latchkey.migrations where version > ${newest} order by version`;
  return rows.map(({ version }) => version);
};

describe('under load,', () => {
  let load: Load;
  const putLoad = () =>
    putUnderLoad(
      {
        throughProxy: fetch,
        browser: (send = fetch) => createAgent(balancer.origin, balancer.origin, new Map(), send),
        authenticator: () => newAuthenticator({ origin: balancer.origin }),
      },
      6,
    );
  afterEach(() => load?.stop().catch(() => {}));

  test('an upgrade with migrations and a rollback lose no request, and each process stays ready', async () => {
    const old = await Promise.all([start(), start()]);
    load = putLoad();
    const isServing = ({ origin }: ExampleServer) => balancer.untilServed(origin, 20);
    const replaceEach = async (servers: readonly ExampleServer[], build?: LaterBuild) => {
      const replacements: ExampleServer[] = [];
      const stopping: Promise<void>[] = [];
      for (const server of servers) {
        const replacement = await start(build);
        // Both builds serve at the same time.
        await Promise.all([...[server, replacement].map(isServing), load.more(40)]);
        stopping.push(stop(server));
        replacements.push(replacement);
      }
      await Promise.all(stopping);
      return replacements;
    };

    expect(await recordedVersions()).toEqual([]);
    const upgraded = await replaceEach(old, compatible);
    expect(await recordedVersions()).toEqual(later);
    const rights = await rightsOf(own.database.sql, own.service);
    expect(rights).toContain('later_notes: insert, select');

    const rolledBack = await replaceEach(upgraded);
    await Promise.all([...rolledBack.map(isServing), load.more(40)]);
    for (const { output } of rolledBack)
      expect(output()).toContain('this version is compatible with the schema');
    await load.stop();
    await Promise.all(rolledBack.map(stop));

    expect(load.journal.filter(isLost)).toEqual([]);
    expect(load.journal.length).toBeGreaterThan(100);
    expect(await recordedVersions()).toEqual(later);
    // The earlier build has granted rights at its start, too.
    expect(await rightsOf(own.database.sql, own.service)).toEqual(rights);
    const found = await own.database.sql<{ username: string }[]>`select username from latchkey.users`;
    const usernames = new Set(found.map(({ username }) => username));
    expect(load.acknowledged.filter(({ username }) => !usernames.has(username))).toEqual([]);
  });
});

test('after an incompatible migration, an earlier build is not ready and does not start, and says why', async () => {
  const old = await start();
  const upgraded = await start(incompatible);
  const { origin } = old;
  await expect.poll(() => balancer.checksOf(origin).at(-1)).toBe('not ready');
  expect(balancer.checksOf(upgraded.origin).at(-1)).toBe('ready');
  const refused = await runExampleServer({
    ...environment(),
    DATABASE_URL: own.serviceUrl,
    JWT_SECRET: secret,
    SERVER_ADDR: ':0',
  });
  expect(refused.exitCode).toBe(4);
  expect(refused.stdout + refused.stderr).toMatch(
    new RegExp(`schema version ${newest + 2}, which this version cannot use\\. Upgrade this package`),
  );
});
