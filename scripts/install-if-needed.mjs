import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the dependencies of a folder where they are missing or older than the lock file, so that one command is
 * enough on a fresh clone. `npm ci` takes exactly what the lock file says.
 */
export function installIfNeeded(folder = '.') {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log(`Installing dependencies${folder === '.' ? '' : ` of ${folder}`}…`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], process.env, folder);
}

/** Runs a program with our terminal and ends with its exit code where that is not 0. */
export function run(program, args, env = process.env, cwd = '.') {
  // npm is a shell script on Windows.
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env,
    cwd,
    shell: process.platform === 'win32',
  });
  if (error) console.error(`${program} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
