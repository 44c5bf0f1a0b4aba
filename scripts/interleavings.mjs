// `npm run interleavings` runs all schedules of all pairs of operations: every order in which the statements of two
// requests can run on PostgreSQL, also with overlapping statements. CONTRIBUTING.md describes how it works.
//   npm run interleavings                              all pairs, for at most 30 minutes
//   npm run interleavings -- --minutes 120             for at most two hours
//   npm run interleavings -- --only "bob leaves"       only the pairs with an operation whose name contains this text
//   npm run interleavings -- --atomic                  without overlapping statements, which is faster
//   npm run interleavings -- --triples 1000            then random schedules of 1000 groups of three operations
//   npm run interleavings -- --triples 1000 --seed 7   other groups
//   npm run interleavings -- --resume                  continues the last run if the sources are unchanged; operations can be added.
//                                                      SIGTERM or Ctrl-C ends a run as the time limit does
//   npm run interleavings -- --shards 4                with four processes (default: 2)
//   npm run interleavings -- --results FILE            where to write the counts and the findings as JSON. Default:
//                                                      tests/evidence/results/, if all operations were chosen
//   npm run interleavings -- --mutants                 writes defects into copies of the sources; the schedules must detect each
//   npm run interleavings -- --mutants recovery        only the defects with "recovery" in their description
//   npm run interleavings -- replay "A | B" "A A B"    prints every statement and every answer of one schedule. With
//                                                      --without-superadmins: on data without superadmins
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
// Inside the repository, so that the program can import packages.
const outfile = 'node_modules/.cache/latchkey-interleavings/campaign.js';
const source = (path) => resolve('src', path);
const bundleTo = (outfile, plugins = []) =>
  bundle({
    entryPoints: ['tests/interleavings/campaign-program.ts'],
    outfile,
    plugins,
    // Runs the sources, not the build.
    alias: {
      latchkey: source('index.ts'),
      'latchkey/testing': source('testing/index.ts'),
      'latchkey/embedded': source('embedded/index.ts'),
    },
  });
await bundleTo(outfile);
if (process.argv.includes('--mutants'))
  for (const [n, { patches }] of (await readMutants()).entries())
    await bundleTo(outfile.replace('campaign', `mutant-${n}`), [patching(patches)]);

async function readMutants() {
  const { transformSync } = await import('esbuild');
  const { code } = transformSync(readFileSync('tests/interleavings/mutants.ts', 'utf8'), { loader: 'ts' });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).mutants;
}

/** An esbuild plugin that changes the text of sources. */
function patching(patches) {
  return {
    name: 'mutant',
    setup: ({ onLoad }) => {
      for (const file of new Set(patches.map((patch) => patch.file)))
        onLoad({ filter: new RegExp(`/${file.replaceAll('.', '[.]')}$`) }, ({ path }) => {
          let contents = readFileSync(path, 'utf8');
          for (const { replace, by } of patches.filter((patch) => patch.file === file)) {
            if (contents.split(replace).length !== 2)
              throw new Error(`${file} does not contain once: ${replace}`);
            contents = contents.replace(replace, () => by);
          }
          return { contents, loader: 'ts' };
        });
    },
  };
}
const running = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' });
// On Ctrl-C, the terminal sends SIGINT to the campaign, too. This process waits until the campaign has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => running.kill('SIGTERM'));
const [code] = await once(running, 'exit');
process.exit(code ?? 1);
