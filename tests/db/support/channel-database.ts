import type { Database, Statement } from 'latchkey';

type Subscriber = Parameters<NonNullable<Database['listen']>>[1];

/** A database with a notification channel that the test controls. */
export interface ChannelDatabase extends Database {
  listen: NonNullable<Database['listen']>;
  /** All connections that the service requested. */
  connections: { subscriber: Subscriber; open: boolean; closed: boolean }[];
  notify(payload: string): void;
}

interface Steps {
  /** Called when the service opens a connection. */
  opens?: (connection: number) => unknown;
  /** Called when the service sends a notification, which arrives when `deliver` is called. */
  sends?: (deliver: () => void, database: ChannelDatabase) => unknown;
  closes?: () => unknown;
  /** Called when the service checks the connection. */
  checks?: () => unknown;
}

/** A database without rows. The channel works unless the test overrides a step. */
export function channelDatabase({
  opens = () => {},
  sends = (deliver) => deliver(),
  closes = () => {},
  checks = () => {},
}: Steps = {}): ChannelDatabase {
  const database: ChannelDatabase = {
    connections: [],
    notify(payload) {
      for (const { subscriber, open, closed } of database.connections)
        if (open && !closed) subscriber.onNotification(payload);
    },
    async listen(_channel, subscriber) {
      const connection = { subscriber, open: false, closed: false };
      database.connections.push(connection);
      await opens(database.connections.length);
      connection.open = true;
      return {
        close: async () => {
          connection.closed = true;
          await closes();
        },
        check: async () => {
          await checks();
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
