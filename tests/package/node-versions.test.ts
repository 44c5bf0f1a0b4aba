import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/example-server.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';
import { installPackage, repository } from './support/installed-package.ts';
import { findNodes } from './support/other-versions.ts';

const run = promisify(execFile);
const { version, engines } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8'));
const nodes = findNodes();
let folder: string;

/** Writes the server of examples/minimal.ts to a file, with another port because port 3000 may be in use. */
async function writeServer(): Promise<void> {
  const shown = readFileSync(`${repository}examples/minimal.ts`, 'utf8');
  const source = shown.replace('listen(3000)', 'listen(Number(process.env.SERVER_ADDR?.slice(1)))');
  expect(source).not.toBe(shown);
  writeFileSync(join(folder, 'server.mjs'), (await transform(source, { loader: 'ts' })).code);
}

const commonJs = `
  const entries = ['latchkey', 'latchkey/client', 'latchkey/testing', 'latchkey/embedded', 'latchkey/service-token'];
  const required = entries.map((entry) => require(entry));
  Promise.all(entries.map((entry) => import(entry))).then((imported) => {
    const names = [required, imported].map((modules) => modules.map((module) => Object.keys(module).sort()));
    process.stdout.write(JSON.stringify(names));
  });`;

beforeAll(async () => {
  folder = await installPackage();
  await writeServer();
  writeFileSync(join(folder, 'commonjs.cjs'), commonJs);
  await build({
    entryPoints: [`${repository}tests/package/support/accounts-program.ts`],
    outfile: join(folder, 'accounts.mjs'),
    bundle: true,
    packages: 'external',
    // With the paths in tsconfig.json, the bundle would contain the sources instead of the installed package.
    tsconfigRaw: {},
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
});

test('the oldest Node.js version that package.json allows is tested', ({ skip }) => {
  if (nodes.length === 1) skip();
  expect(nodes.map(({ version }) => `>=${version}`)).toContain(`${engines.node}.0`);
});

describe.each(nodes.map(({ version, path }) => [version, path]))(
  'the package, installed on Node.js %s,',
  (node, path) => {
    /** Runs a program of the application with PATH and these environment variables only. */
    const runProgram = (args: string[], env: Record<string, string> = {}) =>
      run(path, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...withoutTimeLimits, ...env },
      });

    test.concurrent('runs examples/minimal.ts, including a sign-up on an empty database, and prints no warnings', async () => {
      const database = await createTestDatabase({ empty: true });
      const ended = await runProgram(['--import', './server.mjs', 'accounts.mjs'], {
        DATABASE_URL: database.url,
        SERVER_ADDR: `:${await freePort()}`,
        JWT_SECRET: secret,
        BCRYPT_COST: '4',
      });
      await database.drop();
      expect(ended).toEqual({ stdout: `v${node}: Hello ada, Hello ada, Hello ada\n`, stderr: '' });
    });

    test.concurrent('exports the same names to require() and import() in CommonJS, and prints no warnings', async () => {
      const { stdout, stderr } = await runProgram(['commonjs.cjs']);
      expect(stderr).toBe('');
      const [required, imported] = JSON.parse(stdout) as string[][][];
      expect(required).toEqual(imported);
      expect(imported?.map((names) => names.length > 1)).toEqual([true, true, true, true, true]);
    });

    test.concurrent('prints its version with `latchkey --version`', async () => {
      const ended = await runProgram(['node_modules/latchkey/dist/cli/index.js', '--version']);
      expect(ended).toEqual({ stdout: `${version}\n`, stderr: '' });
    });
  },
);
