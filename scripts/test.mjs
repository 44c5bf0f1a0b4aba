// `npm test` works on a fresh clone. It installs, builds, and runs every test. It passes its arguments to vitest.
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
run('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)]);
