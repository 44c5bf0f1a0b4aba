// `npm run bench`, or `npm run bench -- throughput --quick`: measures, on this machine, what bench/ describes.
import { readdirSync } from 'node:fs';
import { buildIfStale } from './build-if-stale.mjs';
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
  console.error(`no such measurement: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}

installIfNeeded();
buildIfStale();
// Whom we are measured against is installed by those alone who want to know.
if (wanted.includes('throughput')) installIfNeeded('bench');
const servers = readdirSync('bench/servers').map((file) => `bench/servers/${file}`);
// Only now: on a fresh clone it has just been installed.
const { build } = await import('esbuild');
await build({
  entryPoints: [
    ...known.map((name) => `bench/${name}.ts`),
    'bench/support/server.ts',
    'bench/driver/main.ts',
    ...servers,
  ],
  outdir: 'bench/dist',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
  plugins: [
    {
      // By its own name this package is found from its own folder alone, and bench/ has a package.json of its own.
      // The paths of the root's tsconfig.json lead to the sources.
      name: 'Latchkey as built',
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
