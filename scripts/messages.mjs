// `npm run messages` checks the messages of the pages and writes their types. With --check, it changes nothing and fails
// if the types are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const outfile = resolve('node_modules/.cache/latchkey-messages.mjs');
await bundle({ entryPoints: ['scripts/message-types.ts'], outfile });
const { faultsOf, messageTypes } = await import(pathToFileURL(outfile).href);
const faults = faultsOf();
for (const [path, types] of messageTypes()) {
  if (read(path) === types) continue;
  if (process.argv.includes('--check')) faults.push(`${path} is out of date: run npm run messages`);
  else writeFileSync(path, types);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
