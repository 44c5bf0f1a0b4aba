import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When a connection breaks: before the database receives the statement, or before the client receives the result. */
export type Break = 'unsent' | 'unanswered';

/**
 * A TCP proxy in front of PostgreSQL. The proxy can hang, refuse connections, or break a connection at a chosen
 * statement.
 */
export interface DatabaseProxy {
  /** The database's URL through this proxy. */
  url: string;
  /** Sends later connections to this URL. Tests need this after PostgreSQL restarted on another port. */
  redirect(url: string): void;
  /** Stops all data in both directions. New connections open but receive nothing. */
  hang(): void;
  /** New connections work again. Old connections keep hanging, as if the server had disappeared silently. */
  forget(): void;
  /** Closes all connections. */
  cut(): void;
  /** Passes on all data again, including the data that `hang` held back. */
  resume(): void;
  /** Refuses new connections. Open connections stay unchanged. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Breaks the connection at the nth statement from now. The next statement has the number 1. */
  breakAt(statement: number, how: Break): void;
  /** Returns whether a break is pending, and cancels it. */
  takeBreak(): boolean;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  let hanging = false;
  let planned: { answersBefore: number; how: Break } | null = null;
  const open = new Set<Socket>();

  function relay(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    const both = [client, server];
    const drop = () => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      open.add(socket);
      if (hanging) socket.pause();
      socket.on('error', drop);
      socket.on('close', () => {
        open.delete(socket);
        drop();
      });
    }
    const countAnswers = answerCounter();
    client.on('data', (chunk) => {
      if (planned?.how === 'unsent' && planned.answersBefore === 0) {
        planned = null;
        drop();
      } else server.write(chunk);
    });
    server.on('data', (chunk) => {
      const answers = countAnswers(chunk);
      if (planned && answers > 0) {
        if (planned.how === 'unanswered' && planned.answersBefore < answers) {
          planned = null;
          drop();
          return;
        }
        planned.answersBefore = Math.max(0, planned.answersBefore - answers);
      }
      client.write(chunk);
    });
  }

  let listener = createServer(relay);
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  await listen(0);
  const { port } = listener.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    redirect: (next) => {
      target = new URL(next);
    },
    hang: () => {
      hanging = true;
      for (const socket of open) socket.pause();
    },
    forget: () => {
      hanging = false;
    },
    cut: () => {
      for (const socket of open) socket.destroy();
    },
    resume: () => {
      hanging = false;
      for (const socket of open) socket.resume();
    },
    // The listener closes completely only after all open connections end, so this does not wait for `close`.
    refuse: async () => {
      listener.close();
    },
    accept: () => {
      listener = createServer(relay);
      return listen(port);
    },
    breakAt: (statement, how) => {
      planned = { answersBefore: statement - 1, how };
    },
    takeBreak: () => {
      const pending = planned !== null;
      planned = null;
      return pending;
    },
    close: async () => {
      listener.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Counts ReadyForQuery messages. PostgreSQL sends one at the end of each statement, after the commit. */
function answerCounter(): (chunk: Buffer) => number {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    let answers = 0;
    while (pending.length >= 5) {
      const length = 1 + pending.readUInt32BE(1);
      if (pending.length < length) break;
      if (pending[0] === 'Z'.charCodeAt(0)) answers += 1;
      pending = pending.subarray(length);
    }
    return answers;
  };
}
