import { once } from 'node:events';
import { readConfiguration } from 'latchkey';

/** One of several processes that read a development configuration in the same working directory. */
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const { secrets } = readConfiguration({ env: {}, database: 'postgresql://localhost/shop' });
process.stdout.write(`${JSON.stringify(secrets)}\n`);
