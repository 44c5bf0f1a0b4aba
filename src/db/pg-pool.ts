import { createHash } from 'node:crypto';
import type { Database, Ear, Statement } from './database.ts';

/** The part of a `pg` pool (or of anything compatible with it) that we use. */
export interface PgPool {
  query(query: { text: string; values: unknown[]; name?: string }): Promise<{ rows: object[] }>;
  query(text: string): Promise<unknown>;
  /** The class of the pool's connections, of which we make one for notifications; absent: none is made. */
  Client?: new (
    options: object,
  ) => PgClient;
  options?: object;
}

/** The part of a `pg` client that listens. */
export interface PgClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  on(event: 'end' | 'error', listener: () => void): unknown;
}

/** Runs our statements on a `pg` pool that the application has made; it stays the application's. */
export function fromPgPool(pool: PgPool): Database {
  const names = new Map<string, string>();

  // pg prepares a statement once a connection when it has a name; our statement texts are constant and few.
  function nameOf(text: string): string {
    const known = names.get(text);
    if (known) return known;
    // By its text: two services on one pool must not give one name to two statements.
    const name = `latchkey_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
    names.set(text, name);
    return name;
  }

  const { Client, options } = pool;
  return {
    ...(Client && options && { listen: (channel, ear) => listenOn(channel, new Client(options), ear) }),
    async query<Row extends object>(statement: Statement) {
      const { text, values } = statement;
      if (values.length === 0) {
        const result = await pool.query(text);
        return (Array.isArray(result) ? [] : (result as { rows: Row[] }).rows) as Row[];
      }
      const result = await pool.query({ name: nameOf(text), text, values });
      return result.rows as Row[];
    },
  };
}

/** On a connection beside the pool: one out of it would be missing there. */
async function listenOn(channel: string, client: PgClient, { heard, lost }: Ear) {
  client.on('notification', ({ payload }) => heard(payload ?? ''));
  client.on('end', lost);
  // Its end follows, some turns of the event loop later.
  client.on('error', lost);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return { close: () => client.end() };
}
