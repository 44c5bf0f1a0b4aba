import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Runtime } from '../core/runtime.ts';
import type { Candidate, Obstacle } from './candidate.ts';
import { checkRecord } from './check-record.ts';
import { parseRecord } from './record-schema.ts';

/** A record with its number. */
interface Numbered {
  line: number;
  record: unknown;
}

/** A record that is checked without the database. */
export type CheckedRecord = Numbered & ({ candidate: Candidate } | { obstacle: Obstacle });

/** A batch ends when its lines have this many characters, so that large records do not fill the memory. */
const charactersOfBatch = 4 * 1024 * 1024;

/**
 * Numbers the records and returns them in batches. Skips blank lines, but counts them.
 *
 * @throws TypeError if the source returns chunks of bytes instead of records
 */
export async function* batchesOf(
  records: Iterable<unknown> | AsyncIterable<unknown>,
  most: number,
): AsyncGenerator<Numbered[]> {
  let batch: Numbered[] = [];
  let characters = 0;
  let line = 0;
  for await (const record of records) {
    line += 1;
    if (record instanceof Uint8Array)
      throw new TypeError(
        'users.import: expected users or lines of text, not chunks of bytes. Pass createInterface({ input }) of node:readline.',
      );
    if (typeof record === 'string' && record.trim() === '') continue;
    batch.push({ line, record });
    characters += typeof record === 'string' ? record.length : 0;
    if (batch.length < most && characters < charactersOfBatch) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** How many records to check before the event loop handles other requests. A check takes about 50 microseconds. */
const checksOfTurn = 25;

/** Checks the records of a batch without the database. */
export async function checkAll(runtime: Runtime, batch: readonly Numbered[]): Promise<CheckedRecord[]> {
  const checked: CheckedRecord[] = [];
  for (const numbered of batch) {
    if (checked.length % checksOfTurn === 0) await nextTurn();
    const parsed = parseRecord(numbered.record);
    const result =
      'fault' in parsed
        ? { obstacle: { reason: 'invalid_record' as const, ...parsed.fault } }
        : await checkRecord(runtime, parsed.user);
    checked.push({ ...numbered, ...result });
  }
  return checked;
}
