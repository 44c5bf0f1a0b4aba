// `npm test` works on a fresh clone. It installs, builds, and runs every test. It passes its arguments to vitest.
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';

installIfNeeded();
// One test moves users of Better Auth, which is a dependency of bench/. Without CI=true, it is skipped if bench/ is not
// installed.
if (process.env.CI === 'true') installIfNeeded('bench');
buildIfStale();
run('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)]);
