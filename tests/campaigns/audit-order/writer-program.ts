import { writeEvents } from '../../support/audit-traffic.ts';
import { createRandom } from '../failover/random.ts';

// Writes audit events until the campaign kills the process. It is a process of its own, because postgres.js throws an
// error outside of all promises if a server ends at the wrong moment.
const { DATABASE_URL = '', SEED = '' } = process.env;
const random = createRandom(Number(SEED));
await writeEvents(DATABASE_URL, {
  writers: 16,
  transactionsPerWriter: 100_000,
  draw: (below) => random.below(below),
});
