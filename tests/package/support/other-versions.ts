import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './installed-package.ts';

const folder = join(repository, 'node_modules/.cache/other-versions/node_modules');

/** A version of Node.js or of the TypeScript compiler. */
export interface Version {
  version: string;
  path: string;
}

const read = (path: string, program: string): Version => ({
  // The version of one package starts with a "v": v20.19.0.
  version: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version.replace(/^v/, ''),
  path: join(path, program),
});

/** Returns the running Node.js and the other installed versions. With CI=true, throws if a version is missing. */
export const findNodes = (): Version[] => [
  { version: process.versions.node, path: process.execPath },
  ...find(['node-20', 'node-22', 'node-24'], 'bin/node', 'Node 20, 22 and 24'),
];

/** Returns the repository's TypeScript and the newest TypeScript. With CI=true, throws if the newest is missing. */
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
      `skipped: tests with ${description}, because a version is not installed (${script})\n`,
    );
  }
  return installed.map((name) => read(join(folder, name), program));
}
