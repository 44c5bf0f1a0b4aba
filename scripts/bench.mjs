// `npm run bench`, or `npm run bench -- password-flood`: measures, on this machine, what bench/ describes.
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
const known = readdirSync('bench')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace('.ts', ''));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no such measurement: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}
await build({
  entryPoints: [...known.map((name) => `bench/${name}.ts`), 'bench/support/server.ts'],
  outdir: 'bench/dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
for (const name of wanted) run(process.execPath, [`bench/dist/${name}.js`]);
