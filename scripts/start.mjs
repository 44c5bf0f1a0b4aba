// `npm start`: works on a fresh clone. Installs, builds, and runs the example server in this process, so that signals
// reach it.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installIfNeeded();
buildIfStale();
await import('../examples/server/dist/main.js');
