import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serveAccounts } from '../failover/serve-accounts.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

await serveAccounts();
/** Writes the size of the heap after a garbage collection to HEAP_FILE, every second. */
setInterval(() => {
  collectGarbage();
  writeFileSync(process.env.HEAP_FILE ?? '', `${process.memoryUsage().heapUsed}`);
}, 1000);
