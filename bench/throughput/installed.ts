import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Installed {
  contender: string;
  packages: number;
  megabytes: number;
}

const betterAuth = ['@better-auth/core', '@better-auth/passkey', '@better-auth/utils', '@better-fetch/fetch'];
/** The packages that a new user of each contender installs. The versions are in bench/package.json. */
const wanted: Record<string, string[]> = {
  'Better Auth': [...betterAuth, 'better-auth', 'better-call', 'pg'],
  'Express stack': [
    '@simplewebauthn/server',
    'bcrypt',
    'connect-pg-simple',
    'express',
    'express-session',
    'passport',
    'passport-custom',
    'pg',
  ],
};

/** Measures an install into an empty folder. Returns no results if npm fails, for example without a network. */
export async function measureInstalls(): Promise<Installed[]> {
  const { dependencies } = JSON.parse(await readFile('bench/package.json', 'utf8'));
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-installed-'));
  try {
    npm(['pack', '--silent', '--pack-destination', folder], '.');
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    const specs = {
      Latchkey: [join(folder, tarball ?? ''), `koa@${devDependencies.koa}`],
      ...Object.fromEntries(
        Object.entries(wanted).map(([name, packages]) => [
          name,
          packages.map((each) => `${each}@${dependencies[each]}`),
        ]),
      ),
    };
    const installed: Installed[] = [];
    for (const [contender, packages] of Object.entries(specs))
      installed.push({ contender, ...(await install(packages)) });
    return installed;
  } catch (error) {
    console.error(`Skipping the installed sizes: ${error instanceof Error ? error.message : error}`);
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function install(packages: string[]): Promise<Omit<Installed, 'contender'>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-installed-'));
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages], folder);
    const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    const count = Object.keys(lock.packages).length;
    return { packages: count, megabytes: (await bytesIn(join(folder, 'node_modules'))) / 1e6 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function npm(args: string[], cwd: string): void {
  const { status, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args[0]}: ${stderr}`);
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
