// `npm run latchkey -- <command>` runs the `latchkey` command of this checkout. Builds it first if necessary.
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
await import(pathToFileURL('dist/cli/index.js').href);
