// `node scripts/install-other-versions.mjs` installs more versions for the tests: the oldest supported Node, the newest
// releases of the later even versions, and the newest TypeScript. They are not development dependencies, because they
// take half a gigabyte.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
const folder = 'node_modules/.cache/other-versions';
const platform = `${process.platform}-${process.arch}`;
// The package with the binary. npm's `node` package would install it with a script, but scripts are turned off below.
const node = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
const dependencies = {
  'node-20': `npm:${node}@20.19.0`,
  'node-22': `npm:${node}@22`,
  'node-24': `npm:${node}@24`,
  typescript: 'latest',
};
// Removes installed versions, so that npm installs the newest ones.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies }));
console.log('Installing other versions of Node and TypeScript…');
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
run('npm', ['install', '--prefix', folder, ...quietly]);
