// `node scripts/write-dump.mjs 9`: after migration 9 is added, writes tests/db/dumps/0009.sql, which tests upgrade.
// First, add the new tables and columns to tests/db/support/dumped-rows.ts. An existing dump never changes.
import { rmSync } from 'node:fs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
// esbuild is imported here, because on a fresh clone the line above installs it.
const { build } = await import('esbuild');
const outfile = 'node_modules/.cache/latchkey-write-dump.mjs';
await build({
  entryPoints: ['tests/db/support/write-dump-program.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
run(process.execPath, [outfile, ...process.argv.slice(2)]);
rmSync(outfile);
