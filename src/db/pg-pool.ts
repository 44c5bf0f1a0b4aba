import { createHash } from 'node:crypto';
import type { ChannelSubscriber, Database, Statement } from '../core/database.ts';

/** The part of a `pg` pool, or of a compatible one, that Latchkey uses. */
export interface PgPool {
  query(query: { text: string; values: unknown[]; name?: string }): Promise<{ rows: object[] }>;
  query(text: string): Promise<unknown>;
  /** The class of the pool's connections. Opens the connection for notifications. Without it, `listen` is absent. */
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

/** Runs statements on a `pg` pool of the application. Does not close it. */
export function fromPgPool(pool: PgPool): Database {
  const names = new Map<string, string>();

  // `pg` prepares named statements once per connection. The map stays small: statement texts are constant.
  function nameOf(text: string): string {
    const known = names.get(text);
    if (known) return known;
    // A hash of the text, because two services on one pool must not use one name for two statements.
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

/** Listens on a separate connection, so that the pool keeps all of its own. */
async function listenOn(channel: string, client: PgClient, { onNotification, onClose }: ChannelSubscriber) {
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  client.on('end', onClose);
  // `end` follows some turns of the event loop later.
  client.on('error', onClose);
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return { close: () => client.end() };
}
