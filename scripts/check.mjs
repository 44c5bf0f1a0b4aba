// `npm run check` checks the types, the code style, the words, the API documentation, the generated documents, the texts
// and pictures of the pages, links, unused code, and the package as applications install it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
// Type-checking bench/ needs the packages that Latchkey is compared with.
installIfNeeded('bench');
buildIfStale();
// p-limit is imported here, because on a fresh clone the lines above install it.
const { default: pLimit } = await import('p-limit');
// cspell caches its results, so later runs check only files whose content has changed.
const cspellCache = [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  'node_modules/.cache/cspell',
];
// TypeScript 7 checks faster. The build and typescript-versions.test.ts use TypeScript 5.9.
const tsc = ['node', 'node_modules/typescript-7/bin/tsc', '--noEmit', '--checkers', '1'];
const checks = [
  // Runs TypeDoc without its type check, because tsc reports the type errors.
  ['node', 'scripts/api-reference.mjs', '--check'],
  tsc,
  [...tsc, '-p', 'tsconfig.web.json'],
  [...tsc, '-p', 'bench/tsconfig.json'],
  ['knip'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
  ['cspell', '--no-progress', '--quiet', '--dot', ...cspellCache, '.'],
  ['biome', 'check', '--error-on-warnings'],
  ['publint', '--strict'],
  ['node', 'scripts/check-words.mjs'],
  ['node', 'scripts/docs.mjs', '--check'],
  ['node', 'scripts/check-links.mjs'],
  ['node', 'scripts/messages.mjs', '--check'],
  ['node', 'scripts/screenshots.mjs', '--check'],
];

// Runs the tools directly, because npx searches for each tool first.
const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`;

/** @returns whether the tool found no problem */
async function check([tool, ...args]) {
  const child =
    tool === 'node'
      ? spawn(process.execPath, args)
      : spawn(tool, args, { env: { ...process.env, PATH: path }, shell: process.platform === 'win32' });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
  const [code] = await once(child, 'close');
  console.log(`\n— ${tool} ${args.join(' ')}${code === 0 ? '' : ` (exit code ${code})`}`);
  process.stdout.write(Buffer.concat(output));
  return code === 0;
}

// Each check uses one thread. Runs one check per core, and starts with the longest.
const limit = pLimit(availableParallelism());
const passed = await Promise.all(checks.map((each) => limit(check, each)));
if (passed.includes(false)) process.exit(1);
console.log('\nAll checks passed.');
