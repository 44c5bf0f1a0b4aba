// `npm run check`: types, Biome, and the package as others will see it.
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
const checks = [
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'tsconfig.web.json'],
  ['biome', 'check', '--error-on-warnings'],
  ['publint', '--strict'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
  ['knip'],
  ['typedoc'],
];
for (const [tool, ...args] of checks) {
  console.log(`\n— ${tool} ${args.join(' ')}`);
  run('npx', ['--no-install', tool, ...args]);
}
console.log('\nAll checks passed.');
