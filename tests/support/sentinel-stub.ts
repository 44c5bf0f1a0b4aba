import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Responds like a Redis Sentinel. A test decides when the stub returns the primary, and when it announces a failover. */
export interface SentinelStub {
  readonly port: number;
  /** From now on, requests for the address of the primary wait for `release`. */
  hold(): void;
  /** Resolves when a request for the address of the primary waits. */
  heldRequest(): Promise<void>;
  release(): void;
  /** Tells all subscribers that a replica was promoted. */
  announceFailover(): Promise<void>;
  close(): Promise<void>;
}

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const array = (...texts: string[]) => `*${texts.length}\r\n${texts.map(bulk).join('')}`;

export async function startSentinelStub(primaryPort: number): Promise<SentinelStub> {
  const sockets = new Set<Socket>();
  const subscribers = new Set<Socket>();
  let isHolding = false;
  const held: (() => void)[] = [];
  let noticeHeld = () => {};

  const replies: Record<string, (socket: Socket) => void> = {
    client: (socket) => socket.write('+OK\r\n'),
    subscribe(socket) {
      subscribers.add(socket);
      socket.write(`*3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`);
    },
    'sentinel sentinels': (socket) => socket.write('*0\r\n'),
    'sentinel get-master-addr-by-name'(socket) {
      const reply = () => socket.write(array('127.0.0.1', `${primaryPort}`));
      if (!isHolding) return void reply();
      held.push(reply);
      noticeHeld();
    },
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      subscribers.delete(socket);
    });
    socket.on('data', (data) => {
      for (const [name = '', argument = ''] of commandsIn(`${data}`)) {
        const reply = replies[name] ?? replies[`${name} ${argument}`];
        if (reply) reply(socket);
        else socket.write(`-ERR unknown command '${name.toUpperCase()}'\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHolding = true;
    },
    heldRequest: () =>
      held.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            noticeHeld = resolve;
          }),
    release() {
      isHolding = false;
      for (const reply of held.splice(0)) reply();
    },
    async announceFailover() {
      const message = array('message', '+switch-master', 'limits');
      await Promise.all([...subscribers].map((socket) => new Promise((done) => socket.write(message, done))));
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Splits what a client wrote into its commands, in lower case. Each command is a RESP array of bulk strings. */
const commandsIn = (text: string) =>
  text
    .split(/^\*\d+\r\n/m)
    .filter((command) => command !== '')
    .map((command) =>
      command
        .toLowerCase()
        .split('\r\n')
        .filter((_, index) => index % 2 === 1),
    );
