import { spawnSync } from 'node:child_process';

/** The programs of Debian's that a proxy is tried with, and the packages that bring them. */
const packages = { nginx: 'nginx-light', caddy: 'caddy', openssl: 'openssl' } as const;

/** With the folder of Debian's that nginx is in, and an ordinary user's PATH leaves out. */
export const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Whether all of them are there. With CI=true they have to be. */
export function findPrograms(...wanted: (keyof typeof packages)[]): boolean {
  const missing = wanted.filter((program) => isMissing(program));
  if (missing.length === 0) return true;
  const install = `apt-get install ${missing.map((program) => packages[program]).join(' ')}`;
  if (process.env.CI === 'true') throw new Error(`CI needs ${missing.join(' and ')}: ${install}`);
  const what = `the server with ${wanted.join(' and ')}`;
  process.stdout.write(`skipped: ${what}, for want of ${missing.join(' and ')} (${install})\n`);
  return false;
}

const isMissing = (program: string): boolean =>
  spawnSync(program, ['version'], { stdio: 'ignore', env: { PATH: searchPath } }).error !== undefined;
