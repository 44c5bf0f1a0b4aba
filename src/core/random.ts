import { randomFillSync } from 'node:crypto';

/** Drawn ahead: from Node's generator a thousand bytes take about as long as sixteen. */
const ahead = Buffer.alloc(1024);
let next = ahead.length;

/** Random bytes for secrets, each given out once and kept no longer here. @throws RangeError for more than 1024 */
export function randomBytes(count: number): Buffer {
  if (count > ahead.length) throw new RangeError(`${count} random bytes: there are ${ahead.length} at most`);
  if (next + count > ahead.length) {
    randomFillSync(ahead);
    next = 0;
  }
  const given = ahead.subarray(next, next + count);
  next += count;
  const bytes = Buffer.from(given);
  given.fill(0);
  return bytes;
}
