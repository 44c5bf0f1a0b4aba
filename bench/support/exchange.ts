import { connect } from 'node:net';

export interface RawRequest {
  method: string;
  /** With the prefix `/auth` and the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Exchange {
  status: number;
  /** The bytes of the whole request and of the whole response, with their headers. */
  bytesIn: number;
  bytesOut: number;
  headers: string;
  body: string;
}

/** Sends a request on its own connection, with exactly these headers, and reads the response. */
export function exchange(url: string, { method, path, headers, body }: RawRequest): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` };
  const lines = Object.entries({ Host: hostname, ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body ?? ''),
  ]);
  return new Promise((resolve, reject) => {
    let response = Buffer.alloc(0);
    const socket = connect(Number(port), hostname);
    // Does not wait for the end of the connection. A server that refuses a request before it has read the body resets
    // the connection, and a reset can lose a response that was not read yet.
    socket.on('data', (chunk) => {
      response = Buffer.concat([response, chunk]);
      const parts = partsOf(response);
      if (parts?.isComplete) end();
    });
    socket.on('error', () => {});
    socket.on('close', end);
    socket.write(request);

    function end(): void {
      socket.destroy();
      const parts = partsOf(response);
      if (parts) resolve({ ...parts, bytesIn: request.length, bytesOut: response.length });
      else reject(new Error(`no response to ${method} ${path.slice(0, 60)}`));
    }
  });
}

/** Splits a response. Undefined: its headers are not complete yet. */
function partsOf(response: Buffer) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const headers = response.subarray(0, end).toString();
  const body = response.subarray(end + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1]);
  const length = /^content-length: (\d+)$/im.exec(headers)?.[1];
  const isComplete = status === 204 || (length !== undefined && body.length >= Number(length));
  return { status, headers, body: body.toString(), isComplete };
}
