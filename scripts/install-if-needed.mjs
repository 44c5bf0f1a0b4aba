import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/**
 * Installs the dependencies where they are missing or older than the lock file, so that one command is enough on a
 * fresh clone. `npm ci` takes exactly what the lock file says.
 */
export function installIfNeeded() {
  const installed = 'node_modules/.package-lock.json';
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs) return;
  console.log('Installing dependencies…');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs a program with our terminal and ends with its exit code where that is not 0. */
export function run(program, args, env = process.env) {
  // npm is a shell script on Windows.
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  });
  if (error) console.error(`${program} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
