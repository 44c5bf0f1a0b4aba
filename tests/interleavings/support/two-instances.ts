import { setImmediate, setTimeout } from 'node:timers/promises';
import { AuthError, type AuthService, type ChannelSubscriber, type Database, type Statement } from 'latchkey';
import postgres from 'postgres';
import { listening, listenOn } from '../../../src/db/postgres.ts';
import type { TestAgent } from '../../support/agent.ts';
import { isRead } from './label.ts';
import type { World } from './world.ts';

/** What an instance of the service says about each session of the test: the session as JSON, or an error code. */
export type Sessions = Readonly<Record<string, string>>;

/**
 * Another instance of the service, whose session cache the test controls. The test delivers the notifications of
 * PostgreSQL, which the cache needs, and moves the clock of this instance.
 */
export interface SecondInstance {
  /** Checks all sessions. The cache can answer. */
  check(): Promise<Sessions>;
  /** What the database says about all sessions, without a cache. */
  readSessions(): Promise<Sessions>;
  /** How many checks the cache has answered. */
  fromCache(): number;
  /** Delivers all notifications of committed statements. */
  deliver(): Promise<void>;
  /** Loses all notifications that were not delivered. */
  lose(): Promise<void>;
  /** Evicts all sessions from the cache. */
  evict(): void;
  /** Starts to check all sessions. Their rows are read now, but arrive only when the returned function is called. */
  checkSlowly(): Promise<() => Promise<Sessions>>;
  /** Lets the connection end that receives notifications. */
  disconnect(): Promise<void>;
  /** Opens this connection again. */
  reconnect(): Promise<void>;
  /** Sets the clock of this instance to so many milliseconds after the time at which the other clocks stand still. */
  setClock(ms: number): void;
  close(): Promise<void>;
}

export async function openSecondInstance(world: World): Promise<SecondInstance> {
  const { service, url, actors, browsers } = world;
  const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const heard: string[] = [];
  const connection = await listenOn(
    'latchkey_sessions',
    postgres(url, {
      ...listening({ onNotification: (payload) => void heard.push(payload), onClose: () => {} }),
      onnotice: () => {},
    }),
  );
  let subscriber: ChannelSubscriber | null = null;
  let connected = signal();
  connected.send();
  let held: Promise<void> = Promise.resolve();
  let executed = 0;
  let clockMs = 0;

  /** Runs only reads: the jobs of this instance must not change the data of a schedule. */
  async function query({ text, values, auditEvents }: Statement): Promise<object[]> {
    if (!isRead({ text, auditEvents })) throw new Error('the second instance only reads');
    const rows = await client.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 });
    executed += 1;
    await held;
    return [...rows];
  }
  const port = { query } as unknown as Database;
  const clock = () => new Date(service.now.getTime() + clockMs);
  const cached = await service.startAnother(
    {
      ...port,
      listen: async (_, given) => {
        await connected.received;
        subscriber = given;
        return { close: async () => {} };
      },
    },
    clock,
  );
  const uncached = await service.startAnother(port, clock);

  const browsersByName = Object.entries({
    ...Object.fromEntries(Object.entries(actors).map(([name, { browser }]) => [name, browser])),
    ...browsers,
  });
  async function sessionsAt(auth: AuthService): Promise<Sessions> {
    const sessions = await Promise.all(
      browsersByName.map(async ([name, browser]) => [name, await sessionAt(auth, browser)] as const),
    );
    return Object.fromEntries(sessions);
  }
  const isListening = () => cached.statistics().sessionChecks.listening;
  async function deliver(): Promise<void> {
    // The connection receives the notifications of all committed statements before the result of its own statement.
    await connection.check?.();
    for (const payload of heard.splice(0)) subscriber?.onNotification(payload);
  }
  /** The service sends itself a notification, and waits for it. */
  async function untilListening(): Promise<void> {
    for (; !isListening(); await setTimeout(1)) await deliver();
  }

  await sessionsAt(cached);
  await untilListening();
  return {
    check: () => sessionsAt(cached),
    readSessions: () => sessionsAt(uncached),
    fromCache: () => cached.statistics().sessionChecks.fromCache,
    deliver,
    async lose() {
      await connection.check?.();
      heard.length = 0;
    },
    evict() {
      for (const { id } of Object.values(actors)) subscriber?.onNotification(id);
    },
    async checkSlowly() {
      const release = signal();
      held = release.received;
      const before = executed;
      const checking = sessionsAt(cached);
      while (executed < before + browsersByName.length) await setImmediate();
      held = Promise.resolve();
      return async () => {
        release.send();
        return checking;
      };
    },
    async disconnect() {
      connected = signal();
      subscriber?.onClose();
      await setImmediate();
    },
    async reconnect() {
      connected.send();
      await untilListening();
    },
    setClock(ms) {
      clockMs = ms;
    },
    async close() {
      connected.send();
      await cached.close();
      await uncached.close();
      await connection.close();
      await client.end({ timeout: 1 });
    },
  };
}

/** `requireAccess` uses the cache, in contrast to `sessionOf`. */
async function sessionAt(auth: AuthService, { cookies }: TestAgent): Promise<string> {
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  try {
    return JSON.stringify(await auth.requireAccess({ method: 'GET', headers: new Headers({ Cookie }) }));
  } catch (error) {
    if (error instanceof AuthError) return error.code;
    throw error;
  }
}

function signal(): { received: Promise<void>; send(): void } {
  let send = () => {};
  const received = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { received, send };
}
