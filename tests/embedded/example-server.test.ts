import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findEmbeddedPostgres } from 'latchkey/embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Check } from '../../cli/doctor/check.ts';
import { runCommand } from '../cli/commands/support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';
import { Playground, query } from './support/project.ts';

const main = fileURLToPath(new URL('../../examples/server/dist/main.js', import.meta.url));

// `npm start` runs this program. Without DATABASE_URL, it uses the embedded database.
const playground = new Playground();
let project: string;
let child: ChildProcess;
let output = '';
beforeAll(async () => {
  project = await playground.folder();
  const port = await freePort();
  const env = { PATH: process.env.PATH, ...withoutTimeLimits, SERVER_ADDR: `:${port}` };
  child = spawn(process.execPath, [main], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  await eventually(async () => {
    expect(child.exitCode, output).toBeNull();
    return (await fetch(`http://localhost:${port}/readyz`).catch(() => null))?.ok === true;
  });
});
afterAll(async () => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await playground.clean();
});

it('the example server migrates the embedded database as its owner, and uses it as its service role', async () => {
  const found = await findEmbeddedPostgres({ directory: join(project, '.latchkey') });
  playground.forget(dirname(found?.dataDirectory ?? project));
  const superuserUrl = found?.superuserUrl ?? '';
  const owners = await query(
    superuserUrl,
    `select distinct schemaname as schema, tableowner as owner from pg_tables
     where schemaname in ('latchkey', 'example_files', 'public') order by 1`,
  );
  expect(owners).toEqual([
    { schema: 'example_files', owner: 'latchkey_service' },
    { schema: 'latchkey', owner: 'latchkey_owner' },
  ]);
  // Leaves out the connection of the query above, which PostgreSQL may still be closing.
  const roles = await query(
    superuserUrl,
    `select distinct usename as role from pg_stat_activity
     where datname = 'latchkey' and backend_type = 'client backend' and usename <> 'postgres'`,
  );
  expect(roles).toEqual([{ role: 'latchkey_service' }]);
  expect(
    output.split('\n').filter((line) => /"level":(4|5|6)0|"level":"(warn|error|fatal)"/.test(line)),
  ).toEqual([]);
});

it('`latchkey doctor` finds no risk in the roles of the embedded database', async () => {
  const { stdout } = await runCommand('doctor --json', { cwd: project });
  const checks: Check[] = JSON.parse(stdout).checks;
  const about = checks.filter(({ name }) => ['Database', 'Database role', 'Search path'].includes(name));
  expect(about.map(({ name, level }) => [name, level])).toEqual([
    ['Database', 'ok'],
    ['Database role', 'ok'],
  ]);
});
