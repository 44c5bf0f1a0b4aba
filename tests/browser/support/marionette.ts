import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** An error that Firefox returns for a command, such as "no such element". */
export class MarionetteError extends Error {
  readonly code: string;

  constructor(command: string, { error, message }: { error: string; message: string }) {
    super(`${command}: ${error}: ${message}`);
    this.code = error;
  }
}

/** A connection to Marionette, the remote control of Firefox. */
export interface Marionette {
  /** Sends a command, such as `WebDriver:Navigate`, and returns its result. */
  send<T = unknown>(command: string, parameters?: object): Promise<T>;
  close(): void;
}

type Answer = [type: 1, id: number, error: { error: string; message: string } | null, result: unknown];

interface Pending {
  command: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** Connects to the Marionette of a Firefox on this machine. Protocol: messages are `<length>:<JSON>`. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  const pending = new Map<number, Pending>();
  onMessages(socket, (message) => {
    // The first message is an object that describes the server. All other messages are answers.
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message as Answer;
    const { command, resolve, reject } = pending.get(id) as Pending;
    pending.delete(id);
    if (error) reject(new MarionetteError(command, error));
    else resolve(result);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { command, reject } of pending.values())
      reject(new Error(`${command}: Firefox closed the connection`));
    pending.clear();
  });
  let lastId = 0;
  return {
    send: <T>(command: string, parameters: object = {}) =>
      new Promise<T>((resolve, reject) => {
        if (socket.destroyed) return reject(new Error(`${command}: Firefox closed the connection`));
        const id = ++lastId;
        pending.set(id, { command, resolve: resolve as Pending['resolve'], reject });
        const message = JSON.stringify([0, id, command, parameters]);
        socket.write(`${Buffer.byteLength(message)}:${message}`);
      }),
    close: () => void socket.destroy(),
  };
}

function onMessages(socket: Socket, take: (message: unknown) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const colon = received.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(received.toString('latin1', 0, colon));
      if (received.length < end) return;
      const message = received.toString('utf8', colon + 1, end);
      received = received.subarray(end);
      take(JSON.parse(message));
    }
  });
}
