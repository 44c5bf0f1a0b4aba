import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './installed-package.ts';

const folder = join(repository, 'node_modules/.cache/other-versions/node_modules');

/** A program by its version: a Node, or a compiler that Node runs. */
export interface Version {
  version: string;
  path: string;
}

const read = (path: string, program: string): Version => ({
  // One of them says v20.19.0.
  version: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version.replace(/^v/, ''),
  path: join(path, program),
});

/** This Node, and those that the script has installed. With CI=true there have to be all. */
export const findNodes = (): Version[] => [
  { version: process.versions.node, path: process.execPath },
  ...find(['node-20', 'node-22', 'node-24'], 'bin/node', 'Node 20, 22 and 24'),
];

/** The TypeScript of this repository, and the newest. With CI=true there have to be both. */
export const findCompilers = (): Version[] => [
  read(join(repository, 'node_modules/typescript'), 'bin/tsc'),
  ...find(['typescript'], 'bin/tsc', 'the newest TypeScript'),
];

function find(names: string[], program: string, inWords: string): Version[] {
  const there = names.filter((name) => existsSync(join(folder, name, program)));
  if (there.length < names.length) {
    const script = 'node scripts/install-other-versions.mjs';
    if (process.env.CI === 'true') throw new Error(`CI needs ${inWords}: ${script}`);
    process.stdout.write(`skipped: the package with ${inWords}, because not all are installed (${script})\n`);
  }
  return there.map((name) => read(join(folder, name), program));
}
