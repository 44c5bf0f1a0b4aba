import { spawnSync } from 'node:child_process';

/** The programs that tests need, each with its Debian package. */
const packages = { nginx: 'nginx-light', caddy: 'caddy', openssl: 'openssl' } as const;

/** PATH and the folder in which Debian installs nginx. An ordinary user's PATH does not contain this folder. */
export const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Returns whether all of these programs are installed. With CI=true, throws if a program is missing. */
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
