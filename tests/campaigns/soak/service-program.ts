import { writeFileSync } from 'node:fs';
import '../failover/service-program.ts';

/** Writes the size of the heap after a garbage collection to HEAP_FILE, every second. Needs `--expose-gc`. */
setInterval(() => {
  globalThis.gc?.();
  writeFileSync(process.env.HEAP_FILE ?? '', `${process.memoryUsage().heapUsed}`);
}, 1000);
