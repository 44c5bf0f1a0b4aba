import type { Database, Statement } from 'latchkey';

type Ear = Parameters<NonNullable<Database['listen']>>[1];

/** What a database that is listened to does, one step after the other. */
export interface EarDatabase extends Database {
  listen: NonNullable<Database['listen']>;
  /** Every connection that was asked for. */
  connections: { ear: Ear; open: boolean; closed: boolean }[];
  notify(payload: string): void;
}

interface Steps {
  /** Opens a connection. */
  opens?: (connection: number) => unknown;
  /** Sends a notification; `deliver` lets it arrive. */
  sends?: (deliver: () => void, database: EarDatabase) => unknown;
  closes?: () => unknown;
}

/** A database without rows, whose channel does what the test says; by itself it works. */
export function earDatabase({
  opens = () => {},
  sends = (deliver) => deliver(),
  closes = () => {},
}: Steps = {}): EarDatabase {
  const database: EarDatabase = {
    connections: [],
    notify(payload) {
      for (const { ear, open, closed } of database.connections) if (open && !closed) ear.heard(payload);
    },
    async listen(_channel, ear) {
      const connection = { ear, open: false, closed: false };
      database.connections.push(connection);
      await opens(database.connections.length);
      connection.open = true;
      return {
        close: async () => {
          connection.closed = true;
          await closes();
        },
      };
    },
    async query<Row extends object>({ values }: Statement): Promise<Row[]> {
      await sends(() => database.notify(`${values[1]}`), database);
      return [];
    },
  };
  return database;
}
