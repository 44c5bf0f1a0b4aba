import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/program-bundle.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { testSignal } from '../support/test-signal.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

let script: string;
let directory: string;
/** The result of the program without settings in the environment. */
let plain: unknown;
beforeAll(async () => {
  script = await bundleProgram(
    'tests/testing/support/test-service-program.ts',
    `test-service-${process.pid}.mjs`,
  );
  directory = await mkdtemp(join(tmpdir(), 'latchkey-test-service-'));
  plain = await run(script, {});
});
afterAll(() => Promise.all([rm(script), rm(directory, { recursive: true })]));

/** Runs the program. Fails if the process does not end by itself, or if the process writes to stderr. */
async function run(program: string, env: Record<string, string>, ...args: string[]) {
  const signal = testSignal();
  const options = { cwd: directory, env: { ...withoutTimeLimits, ...env }, ...(signal && { signal }) };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('without settings in the environment, the service works, writes no files and does not keep the process running', async () => {
  expect(plain).toEqual({
    status: 200,
    config: {
      production: false,
      rpId: 'localhost',
      rpName: 'Latchkey',
      origins: ['http://localhost:3000'],
      serverAddress: { host: null, port: 3000 },
      passwordMinLength: 8,
      sessionCookieName: 'latchkey',
      signUpMode: 'open',
      signUpOrganizationInvitations: false,
      organizations: { createdBy: 'admin', perUser: null },
      adminInvitations: true,
      impersonation: false,
      webhooks: { allowedNetworks: [] },
    },
  });
  expect(await readdir(directory)).toEqual([]);
});

test('environment variables do not change the configuration', async () => {
  const example = await readFile(join(repository, '.env.example'), 'utf8');
  const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(names).toContain('DATABASE_URL');
  const env = { ...Object.fromEntries(names.map((name) => [name, 'nonsense'])), NODE_ENV: 'production' };
  expect(await run(script, env)).toEqual(plain);
});

test('without pg-mem and without PostgreSQL, the error names the package to install', async () => {
  const packages = (await readdir(join(repository, 'node_modules'))).filter((name) => name !== 'pg-mem');
  await mkdir(join(directory, 'node_modules'));
  for (const name of packages)
    await symlink(join(repository, 'node_modules', name), join(directory, 'node_modules', name));
  const program = join(directory, 'program.mjs');
  await copyFile(script, program);
  expect(await run(program, {})).toEqual({
    error: 'Error: the in-memory database needs the package pg-mem: npm install --save-dev pg-mem',
  });
  const database = await createTestDatabase();
  expect(await run(program, {}, database.url)).toMatchObject({ status: 200 });
  await database.drop();
});
