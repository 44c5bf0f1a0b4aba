// `npm run latchkey -- <command>`: the terminal program of this checkout, built where that is needed.
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
buildIfStale();
await import(pathToFileURL('dist/cli/index.js').href);
