import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';

// Several processes of Latchkey's server behind one port.
cluster.setupPrimary({ exec: fileURLToPath(new URL('latchkey.js', import.meta.url)), args: [] });
const workers = Array.from({ length: Number(process.argv[2]) }, () => cluster.fork());
const ports = workers.map(
  (worker) => new Promise<object>((resolve) => worker.once('message', (message) => resolve(message))),
);
const [listening] = await Promise.all(ports);
process.send?.(listening);
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
