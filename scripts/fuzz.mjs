// `npm run fuzz -- --minutes 5` changes inputs at random, and looks for inputs that crash or hang the code that reads
// untrusted bytes. It keeps inputs that reach new code. The targets and the corpora are in tests/fuzz/.
//   npm run fuzz -- --minutes 5                  five minutes for each target
//   npm run fuzz -- --minutes 5 --target json    one target
//   npm run fuzz -- --seed 1 --target json       repeats the changes of the run with this seed
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
// Inside the repository, so that the programs can import packages.
const outdir = 'node_modules/.cache/latchkey-fuzz';
await bundle({
  entryPoints: ['tests/fuzz/main.ts', 'tests/fuzz/support/fuzz-program.ts'],
  outdir,
  splitting: true,
});
const running = spawn(process.execPath, [`${outdir}/main.js`, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running.kill(signal));
const [code] = await once(running, 'exit');
process.exit(code ?? 1);
