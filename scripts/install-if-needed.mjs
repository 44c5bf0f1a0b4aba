import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the dependencies of a folder if they are missing or older than the lock file. So one command is enough on a
 * fresh clone. `npm ci` installs exactly the versions in the lock file.
 */
export function installIfNeeded(folder = '.') {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log(`Installing dependencies${folder === '.' ? '' : ` of ${folder}`}…`);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], process.env, folder);
}

/** Runs a program in this terminal. If it fails, exits with its exit code. */
export function run(program, args, env = process.env, cwd = '.') {
  // npm is a shell script on Windows.
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env,
    cwd,
    shell: process.platform === 'win32',
  });
  if (error) console.error(`Could not run ${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
