import { randomFillSync } from 'node:crypto';

/** Filled at once: asking the system's generator takes about as long for a thousand bytes as for sixteen. */
const ahead = Buffer.alloc(1024);
let next = ahead.length;

/** Bytes of the system's generator, each given out once. @param count 256 at most */
export function randomBytes(count: number): Buffer {
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
