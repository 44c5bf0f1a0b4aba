// `npm start` works on a fresh clone. It installs, builds, and runs the example server. The server runs in this
// process, so that it receives signals.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installIfNeeded();
buildIfStale();
await import('../examples/server/dist/main.js');
