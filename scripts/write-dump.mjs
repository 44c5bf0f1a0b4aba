// `node scripts/write-dump.mjs 9`: after migration 9 is added, writes tests/db/dumps/0009.sql, which tests upgrade.
// First, add the new tables and columns to tests/db/support/dumped-rows.ts. An existing dump never changes.
import { rmSync } from 'node:fs';
import { bundle } from './bundle.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
const outfile = 'node_modules/.cache/latchkey-write-dump.mjs';
await bundle({ entryPoints: ['tests/db/support/write-dump-program.ts'], outfile });
run(process.execPath, [outfile, ...process.argv.slice(2)]);
rmSync(outfile);
