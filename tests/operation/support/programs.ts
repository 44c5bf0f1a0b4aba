import { spawnSync } from 'node:child_process';

/** The programs that the proxy tests need, and their Debian packages. */
const packages = { nginx: 'nginx-light', caddy: 'caddy', openssl: 'openssl' } as const;

/** With Debian's folder of nginx, which an ordinary user's PATH does not contain. */
export const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Whether all of them are installed. With CI=true, a missing one is an error. */
export function findPrograms(...wanted: (keyof typeof packages)[]): boolean {
  const missing = wanted.filter((program) => isMissing(program));
  if (missing.length === 0) return true;
  const install = `apt-get install ${missing.map((program) => packages[program]).join(' ')}`;
  if (process.env.CI === 'true') throw new Error(`CI needs ${missing.join(' and ')}: ${install}`);
  const what = `the server with ${wanted.join(' and ')}`;
  process.stdout.write(`skipped: ${what}, missing ${missing.join(' and ')} (${install})\n`);
  return false;
}

const isMissing = (program: string): boolean =>
  spawnSync(program, ['version'], { stdio: 'ignore', env: { PATH: searchPath } }).error !== undefined;
