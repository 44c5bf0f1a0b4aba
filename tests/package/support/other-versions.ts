import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './installed-package.ts';

const folder = join(repository, 'node_modules/.cache/other-versions/node_modules');

/** A version of Node or of the TypeScript compiler. */
export interface Version {
  version: string;
  path: string;
}

const read = (path: string, program: string): Version => ({
  // One of the packages has a version with a "v", such as v20.19.0.
  version: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version.replace(/^v/, ''),
  path: join(path, program),
});

/** This Node and those that the script installed. With CI=true, a missing one is an error. */
export const findNodes = (): Version[] => [
  { version: process.versions.node, path: process.execPath },
  ...find(['node-20', 'node-22', 'node-24'], 'bin/node', 'Node 20, 22 and 24'),
];

/** The TypeScript of this repository and the newest. With CI=true, a missing one is an error. */
export const findCompilers = (): Version[] => [
  read(join(repository, 'node_modules/typescript'), 'bin/tsc'),
  ...find(['typescript'], 'bin/tsc', 'the newest TypeScript'),
];

function find(names: string[], program: string, description: string): Version[] {
  const installed = names.filter((name) => existsSync(join(folder, name, program)));
  if (installed.length < names.length) {
    const script = 'node scripts/install-other-versions.mjs';
    if (process.env.CI === 'true') throw new Error(`CI needs ${description}: ${script}`);
    process.stdout.write(
      `skipped: the package with ${description}, because not all are installed (${script})\n`,
    );
  }
  return installed.map((name) => read(join(folder, name), program));
}
