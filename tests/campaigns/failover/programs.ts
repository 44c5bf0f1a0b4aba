import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that the campaign starts, with the Debian packages that contain them. */
const packages = {
  postgres: 'postgresql',
  patroni: 'patroni',
  etcd: 'etcd-server',
  'redis-server': 'redis-server',
  haproxy: 'haproxy',
} as const;

export type ProgramName = keyof typeof packages;
export type Programs = Record<ProgramName, string>;

/** Debian installs the programs of PostgreSQL in a folder for each version, which PATH does not contain. */
const debianPostgres = '/usr/lib/postgresql';

/** The message names the missing packages. */
export class MissingPrograms extends Error {}

/**
 * Returns the path of each program.
 *
 * @throws MissingPrograms
 */
export function findPrograms(wanted: readonly ProgramName[]): Programs {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres) : [];
  const folders = [
    ...versions
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(debianPostgres, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
  ];
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(isExecutable);
  const found = wanted.map((name) => [name, find(name)] as const);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => packages[name]);
  if (missing.length > 0)
    throw new MissingPrograms(
      `the campaign needs more packages. On Debian: apt-get install ${missing.join(' ')}`,
    );
  return Object.fromEntries(found) as Programs;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
