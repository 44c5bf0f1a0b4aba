import postgres from 'postgres';
import type { Sequencer } from '../../src/audit/log/sequencer.ts';
import { readEventsAfter } from '../../src/audit/store/positions.ts';
import type { Database, Statement } from '../../src/core/database.ts';

/** Returns an integer from 0 to `below - 1`. */
export type Draw = (below: number) => number;

/** Transactions that write audit events. */
export interface Traffic {
  writers: number;
  transactionsPerWriter: number;
  draw: Draw;
}

/**
 * Writes audit events with many connections. One transaction in ten waits until up to 49 other transactions have ended.
 * Some roll back, or roll back to a savepoint.
 *
 * @returns the ids of the events of committed transactions
 */
export async function writeEvents(
  url: string,
  { writers, transactionsPerWriter, draw }: Traffic,
): Promise<Set<string>> {
  const committed = new Set<string>();
  const turns = createTurns(writers);
  const write = async () => {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    for (let count = 0; count < transactionsPerWriter; count += 1) {
      const ids: string[] = [];
      const insert = async (on: Pick<postgres.Sql, 'unsafe'>, isKept = true) => {
        const id = crypto.randomUUID();
        await on.unsafe(
          `insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
           values ('${id}', latchkey.clock(), 'session.logout', 'success', 'anonymous', '{}')`,
        );
        if (isKept) ids.push(id);
      };
      const kind = draw(10);
      const rollback = new Error('rolled back on purpose');
      if (kind < 6) await insert(client);
      else
        await client
          .begin(async (transaction) => {
            await insert(transaction);
            if (kind === 6) throw rollback;
            if (kind === 7) {
              await insert(transaction).then(() => transaction.unsafe('savepoint half'));
              await insert(transaction, false);
              await transaction.unsafe('rollback to savepoint half');
            }
            if (kind === 8) await turns.until(draw(50));
            await insert(transaction);
          })
          .catch((error: unknown) => {
            if (error !== rollback) throw error;
            ids.length = 0;
          });
      for (const id of ids) committed.add(id);
      turns.count();
    }
    turns.end();
    await client.end();
  };
  await Promise.all(Array.from({ length: writers }, write));
  return committed;
}

/** Lets a writer wait until other transactions have ended. If all writers wait, all continue. */
function createTurns(writers: number) {
  let done = 0;
  let running = writers;
  let waiting: { at: number; go(): void }[] = [];
  const wake = () => {
    const everyoneWaits = waiting.length >= running;
    const ready = waiting.filter(({ at }) => everyoneWaits || at <= done);
    waiting = waiting.filter((one) => !ready.includes(one));
    for (const { go } of ready) go();
  };
  return {
    count() {
      done += 1;
      wake();
    },
    end() {
      running -= 1;
      wake();
    },
    until: (more: number) =>
      new Promise<void>((resolve) => {
        waiting.push({ at: done + more, go: resolve });
        wake();
      }),
  };
}

/** Runs competing sequencers until `isDone` returns true and every event has a position. */
export async function race(
  sequencers: readonly (() => Sequencer)[],
  isDone: () => boolean,
  onError: (error: unknown) => void,
): Promise<void> {
  await Promise.all(
    sequencers.map(async (create) => {
      let sequencer = create();
      for (;;) {
        const wasDone = isDone();
        try {
          if ((await sequencer.round()) === 'idle' && wasDone) return;
        } catch (error) {
          onError(error);
          // Another process takes over.
          sequencer = create();
        }
      }
    }),
  );
}

/** Simulates that a process is killed before a statement, or before it reads the result of the statement. */
export class Killed extends Error {}

/**
 * Returns a database whose client is killed immediately after it appends to the log for the first time, and later
 * sometimes immediately before or after it appends.
 */
export function killing(db: Database, draw: Draw): Database {
  let appends = 0;
  return {
    query: async <Row extends object>(statement: Statement) => {
      if (!statement.text.includes('insert into latchkey.audit_entries')) return db.query<Row>(statement);
      appends += 1;
      const kill = appends === 1 ? 1 : draw(6);
      if (kill === 0) throw new Killed();
      const rows = await db.query<Row>(statement);
      if (kill === 1) throw new Killed();
      return rows;
    },
  };
}

/**
 * Reads the log in order while it grows.
 *
 * @returns the ids of the events, in the order in which they were read
 */
export async function readAlong(db: Database, isDone: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  let after: bigint | null = null;
  for (;;) {
    const wasDone = isDone();
    const { events, readTo } = await readEventsAfter(db, after, 7);
    ids.push(...events.map(({ id }) => id));
    if (readTo === null && wasDone) return ids;
    if (readTo !== null) after = BigInt(readTo);
  }
}
