// `npm start` works on a fresh clone. It checks the port, installs, builds, and runs the example server. The server
// runs in this process, so that it receives signals.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';
import { requireFreePort } from './require-free-port.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await requireFreePort();
installIfNeeded();
buildIfStale();
await import('../examples/server/dist/main.js');
