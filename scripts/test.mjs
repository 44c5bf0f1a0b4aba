// `npm test`: on a fresh clone alone. Installs, builds, and runs every test; arguments go to vitest.
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
run('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)]);
