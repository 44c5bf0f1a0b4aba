export interface Answer {
  status: number;
  /** The status line and the headers, not parsed. */
  head: string;
  body: Buffer;
}

const nothing = Buffer.alloc(0);

/**
 * Parses the response at the start of the bytes. Also returns its length. Returns null if the response is incomplete.
 */
export function readAnswer(bytes: Buffer): { answer: Answer; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  if (status === 204 || status === 304) return { answer: { status, head, body: nothing }, length: start };
  const stated = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (stated !== undefined) {
    const length = start + Number(stated);
    return bytes.length < length
      ? null
      : { answer: { status, head, body: bytes.subarray(start, length) }, length };
  }
  if (!/^transfer-encoding: *chunked/im.test(head)) throw new Error(`a response of unknown length: ${head}`);
  const chunked = readChunks(bytes, start);
  return chunked && { answer: { status, head, body: chunked.body }, length: chunked.length };
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; length: number } | null {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(chunks), length: next };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
