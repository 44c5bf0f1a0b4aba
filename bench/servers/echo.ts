import { type AddressInfo, createServer } from 'node:net';

// A minimal server. It shows the maximum rate that the driver can measure.
const body = process.env.ANSWER ?? '';
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', () => socket.write(answer));
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
