import { createHash } from 'node:crypto';
import type { ChannelSubscriber, Database, Statement } from '../core/database.ts';
import { requirePrimary } from './on-primary.ts';

/** The part of a `pg` pool that Latchkey uses. A pool of another package can implement this interface. */
export interface PgPool {
  query(query: { text: string; values: unknown[]; name?: string }): Promise<{ rows: object[] }>;
  query(text: string): Promise<unknown>;
  /** The class of the pool's connections. Needed to listen for changes of sessions. */
  Client?: new (
    options: object,
  ) => PgClient;
  options?: object;
}

/** The part of a `pg` client that Latchkey uses to listen for notifications. */
export interface PgClient {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  on(event: 'end' | 'error', listener: () => void): unknown;
}

/** Runs statements on the application's `pg` pool. Does not close the pool. */
export function fromPgPool(pool: PgPool): Database {
  const names = new Map<string, string>();

  // `pg` prepares a named statement once per connection. The map stays small because a text contains no values, so the
  // same statement has the same text in each request.
  function nameOf(text: string): string {
    const known = names.get(text);
    if (known) return known;
    // The name contains a hash of the text, because two services on one pool must not use one name for two statements.
    const name = `latchkey_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
    names.set(text, name);
    return name;
  }

  const { Client, options } = pool;
  return {
    ...(Client &&
      options && { listen: (channel, subscriber) => listenOn(channel, new Client(options), subscriber) }),
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

/** Listens on a separate connection, so that all connections of the pool stay free for statements. */
async function listenOn(channel: string, client: PgClient, { onNotification, onClose }: ChannelSubscriber) {
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  client.on('end', onClose);
  // After an error, `end` comes some turns of the event loop later.
  client.on('error', onClose);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return { close: () => client.end(), check: async () => void (await client.query(requirePrimary.text)) };
}
