import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { eventually } from '../../support/eventually.ts';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/**
 * Creates an application and installs Koa and the package in it. The package is installed from its tarball, which stays
 * next to package.json. In each run, the first test file creates the application, and the other test files reuse it.
 *
 * @returns the folder of the application
 */
export async function installPackage(): Promise<string> {
  const folder = join(inject('runFolder'), 'application');
  const done = join(folder, 'installed');
  try {
    // `mkdirSync` succeeds for only one of several concurrent callers.
    mkdirSync(folder);
  } catch {
    await eventually(() => existsSync(done) || !existsSync(folder));
    if (!existsSync(done)) throw new Error('another test file could not install the package');
    return folder;
  }
  try {
    await install(folder);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  writeFileSync(done, '');
  return folder;
}

async function install(folder: string): Promise<void> {
  const program = ['scripts/package.mjs', '--destination', folder];
  const { stdout } = await run(process.execPath, program, { cwd: repository });
  const { devDependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const types = ['@types/koa', '@types/node'];
  const application = {
    name: 'application',
    private: true,
    type: 'module',
    dependencies: { latchkey: `file:${stdout.trim()}`, koa: '3' },
    // TypeScript applications need these types.
    devDependencies: Object.fromEntries(types.map((name) => [name, devDependencies[name]])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(application));
  // Runs no install scripts, because some developers disable them. All dependencies must work without install scripts,
  // even bcrypt.
  const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...quietly], { cwd: folder });
}
