// `npm run bench`, or `npm run bench -- throughput --quick`: runs the measurements in bench/ on this machine.
import { readdirSync } from 'node:fs';
import { buildIfStale } from './build-if-stale.mjs';
import { bundle } from './bundle.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

const known = readdirSync('bench')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace('.ts', ''));
const [names, options] = [false, true].map((isOption) =>
  process.argv.slice(2).filter((argument) => argument.startsWith('-') === isOption),
);
const wanted = names.length > 0 ? names : known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown measurement: ${unknown.join(', ')}. Available: ${known.join(', ')}`);
  process.exit(2);
}

installIfNeeded();
buildIfStale();
// Only the throughput measurement needs the packages that Latchkey is compared with.
if (wanted.includes('throughput')) installIfNeeded('bench');
const servers = readdirSync('bench/servers').map((file) => `bench/servers/${file}`);
await bundle({
  entryPoints: [
    ...known.map((name) => `bench/${name}.ts`),
    'bench/support/server.ts',
    'bench/driver/main.ts',
    ...servers,
  ],
  outdir: 'bench/dist',
  plugins: [
    {
      // The benchmarks must use the built package. So this resolves `latchkey` from this file. Node cannot resolve it
      // from bench/, which has its own package.json, and esbuild would find the sources through tsconfig.json.
      name: 'built Latchkey',
      setup({ onResolve }) {
        onResolve({ filter: /^latchkey(\/|$)/ }, ({ path }) => ({
          path: import.meta.resolve(path),
          external: true,
        }));
      },
    },
  ],
});
for (const name of wanted) run(process.execPath, [`bench/dist/${name}.js`, ...options]);
