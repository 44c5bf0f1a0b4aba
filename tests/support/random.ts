import { createHash } from 'node:crypto';

/**
 * Returns a source of random bytes for a test file. The bytes depend only on the seed of the run and on the order of
 * the calls. A run that fails prints its seed; `SEED=… npm test` repeats the bytes.
 *
 * @param name the name of the file. Two sources with different names return different bytes.
 */
export function randomBytesOf(name: string): (length: number) => Buffer<ArrayBuffer> {
  let calls = 0;
  return (length) => {
    calls += 1;
    const text = `${process.env.SEED} ${name} ${calls}`;
    return Buffer.from(createHash('shake256', { outputLength: length }).update(text).digest());
  };
}
