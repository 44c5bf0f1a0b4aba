// `npm run check`: types, Biome, and the package as others will see it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
// The servers of others that we are measured against have types of their own.
installIfNeeded('bench');
buildIfStale();
// Installed only now.
const { default: pLimit } = await import('p-limit');
const checks = [
  ['typedoc'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'tsconfig.web.json'],
  ['tsc', '--noEmit', '-p', 'bench/tsconfig.json'],
  ['knip'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
  ['biome', 'check', '--error-on-warnings'],
  ['publint', '--strict'],
];

/** @returns whether nothing was found */
async function check([tool, ...args]) {
  const child = spawn('npx', ['--no-install', tool, ...args], { shell: process.platform === 'win32' });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => said.push(piece));
  const [code] = await once(child, 'close');
  console.log(`\n— ${tool} ${args.join(' ')}${code === 0 ? '' : ` (exit code ${code})`}`);
  process.stdout.write(Buffer.concat(said));
  return code === 0;
}

// Each is one thread's work: as many at once as there are cores, the longest first.
const limit = pLimit(availableParallelism());
const good = await Promise.all(checks.map((each) => limit(check, each)));
if (good.includes(false)) process.exit(1);
console.log('\nAll checks passed.');
