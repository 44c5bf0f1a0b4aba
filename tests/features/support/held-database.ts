import type { Database, Statement } from 'latchkey';
import postgres from 'postgres';
import { createGate, type Gate } from './hooks.ts';
import { databaseOn, readsSession } from './remembering.ts';

/** A database whose answers to reads of a session a test may hold back. */
export interface HeldDatabase {
  database: Database;
  /** How many reads of a session have been sent. */
  reads(): number;
  /** The next row has been read, and does not arrive until the gate is opened. */
  hold(): Gate;
  /** The next statement that outdates something is run, and its answer lost. */
  loseAnswer(): void;
  /** Ahead of the next statement that outdates something, this happens. */
  beforeOutdating(act: () => Promise<unknown>): void;
  end(): Promise<void>;
}

export function holdingDatabase(url: string): HeldDatabase {
  const client = postgres(url, { onnotice: () => {} });
  const { listen, query } = databaseOn(client);
  let reads = 0;
  let gate: Gate | null = null;
  let losing = false;
  let ahead: (() => Promise<unknown>) | null = null;
  return {
    database: {
      listen,
      query: async <Row extends object>(statement: Statement) => {
        if (ahead && statement.outdated.length > 0) {
          const act = ahead;
          ahead = null;
          await act();
        }
        const rows = await query<Row>(statement);
        if (losing && statement.outdated.length > 0) {
          losing = false;
          throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
        }
        if (!readsSession.test(statement.text)) return rows;
        reads += 1;
        const held = gate;
        gate = null;
        await held?.opened;
        return rows;
      },
    },
    reads: () => reads,
    hold() {
      gate = createGate();
      return gate;
    },
    loseAnswer() {
      losing = true;
    },
    beforeOutdating(act) {
      ahead = act;
    },
    end: () => client.end({ timeout: 1 }),
  };
}
