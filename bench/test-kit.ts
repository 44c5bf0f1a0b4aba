import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createTestAuthService, createTestDatabase } from 'latchkey/testing';
import { median } from 'simple-statistics';
import { startDatabase } from './support/database.ts';
import { timed } from './support/timed.ts';

// Measures how long a unit test waits for `createTestAuthService` and `signedInAs`, without imports. Measures the first
// calls in a new process, because each test file can have its own process. Also measures later calls in a warm process,
// and databases on a PostgreSQL with its default settings.
const processes = 7;
const creations = 30;
const people = 30;
const most = { ready: 200, person: 30, database: 50 };
const setup = 'create table notes (id uuid primary key, owner_id uuid references latchkey.users (id))';
const roles = ['user', 'admin', 'superadmin'] as const;

if (process.send) process.send(await measureFirst());
else await measure();

/** The first calls in a process, in milliseconds. */
async function measureFirst(): Promise<Record<string, number>> {
  const pgMem = await timed(async () => createRequire(import.meta.url)('pg-mem'));
  const { kit, ready } = await timedCreation();
  const person = await timed(() => kit.signedInAs('superadmin'));
  await kit.close();
  return { 'import of pg-mem': pgMem, 'createTestAuthService()': ready, "signedInAs('superadmin')": person };
}

async function measure(): Promise<void> {
  const first: Record<string, number[]> = {};
  for (let n = 0; n < processes; n += 1) {
    const child = fork(fileURLToPath(import.meta.url));
    const [measured] = (await once(child, 'message')) as [Record<string, number>];
    for (const [what, time] of Object.entries(measured)) first[what] = [...(first[what] ?? []), time];
    await once(child, 'exit');
  }
  print(`First calls in a process (${processes} processes)`, first);

  const ready: number[] = [];
  for (let n = 0; n < creations; n += 1) {
    const created = await timedCreation();
    ready.push(created.ready);
    await created.kit.close();
  }
  const { kit } = await timedCreation();
  const signingIn: Record<string, number[]> = {};
  for (const role of roles) {
    const times: number[] = [];
    for (let n = 0; n < people; n += 1) times.push(await timed(() => kit.signedInAs(role)));
    signingIn[`signedInAs('${role}')`] = times;
  }
  await kit.close();
  print(`Later calls (${creations} services, ${people} users of each role)`, {
    'createTestAuthService()': ready,
    ...signingIn,
  });
  const slowest = Math.max(...Object.values(signingIn).map(median));
  const databases = await measureDatabases();
  const isFast = median(ready) < most.ready && slowest < most.person && databases < most.database;
  process.exitCode = isFast ? 0 : 1;
}

/** Returns the median time of `createTestDatabase`, except for the first call. */
async function measureDatabases(): Promise<number> {
  const { url: server, stop } = await startDatabase();
  const times: Record<string, number[]> = {};
  async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    times[what] = [...(times[what] ?? []), performance.now() - began];
    return result;
  }
  for (let n = 0; n <= creations; n += 1) {
    const what = n === 0 ? 'createTestDatabase(), creates the template' : 'createTestDatabase()';
    const database = await measured(what, () => createTestDatabase({ server, setup }));
    const kit = await measured('createTestAuthService({ database })', () =>
      createTestAuthService({ database: database.url }),
    );
    await kit.signedInAs('superadmin');
    await measured('reset()', database.reset);
    await kit.close();
    await measured('close()', database.close);
  }
  print(`On PostgreSQL (${creations} databases)`, times);
  await stop();
  return median(times['createTestDatabase()'] ?? []);
}

async function timedCreation() {
  const began = performance.now();
  const kit = await createTestAuthService();
  return { kit, ready: performance.now() - began };
}

function print(title: string, measured: Record<string, number[]>): void {
  const rows = Object.entries(measured).map(
    ([what, times]) => `| ${what} | ${median(times).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`,
  );
  console.log(`\n### ${title}\n\n| | median ms | slowest ms |\n|---|---|---|\n${rows.join('\n')}`);
}
