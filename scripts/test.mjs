// `npm test`: works on a fresh clone. Installs, builds, and runs every test. Passes its arguments to vitest.
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
run('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)]);
