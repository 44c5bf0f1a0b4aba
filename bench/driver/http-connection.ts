import { once } from 'node:events';
import { connect } from 'node:net';
import { type Answer, readAnswer } from './read-answer.ts';

/**
 * A keep-alive connection that sends one request at a time. An ordinary HTTP client would be slower than the servers.
 */
export interface HttpConnection {
  ask(request: Buffer | string): Promise<Answer>;
  close(): void;
}

/** After this time without a response, the run fails. Without this limit, the run could hang. */
const longestSilence = 60_000;
const closed = () => new Error('the connection was closed before a response');

export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  let received: Buffer = Buffer.alloc(0);

  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const read = readAnswer(received);
    if (!read) return;
    received = received.subarray(read.length);
    const asked = waiting;
    waiting = null;
    asked?.resolve(read.answer);
  });
  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(closed()));
  socket.setTimeout(longestSilence, () => socket.destroy());

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(closed());
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
