// `node scripts/install-other-versions.mjs`: puts what else the package has to work with where the tests look for it:
// the oldest Node that it is for, the newest of the later even ones, and the newest TypeScript. Half a gigabyte, and
// so no dependency of ours.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
const folder = 'node_modules/.cache/other-versions';
const platform = `${process.platform}-${process.arch}`;
// What npm's `node` package fetches by a script, which npm need not run.
const node = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
const dependencies = {
  'node-20': `npm:${node}@20.19.0`,
  'node-22': `npm:${node}@22`,
  'node-24': `npm:${node}@24`,
  typescript: 'latest',
};
// Whoever runs this wants the newest, not what is there.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies }));
console.log('Installing other versions of Node and TypeScript…');
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
run('npm', ['install', '--prefix', folder, ...quietly]);
