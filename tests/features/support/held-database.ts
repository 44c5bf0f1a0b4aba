import type { Database, Statement } from 'latchkey';
import postgres from 'postgres';
import { createGate, type Gate } from './hooks.ts';
import { databaseOn, readsSession } from './remembering.ts';

/** A database whose results a test can delay or lose. */
export interface HeldDatabase {
  database: Database;
  /** The number of session reads that have run. */
  reads(): number;
  /** Delays the result of the next session read until the gate opens. */
  hold(): Gate;
  /** Loses the result of the next statement that invalidates cached reads. The statement itself runs. */
  loseAnswer(): void;
  /** Calls `act` before the next statement that invalidates cached reads. */
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
        if (ahead && statement.invalidates.length > 0) {
          const act = ahead;
          ahead = null;
          await act();
        }
        const rows = await query<Row>(statement);
        if (losing && statement.invalidates.length > 0) {
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
