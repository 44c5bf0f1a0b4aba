/** More bytes than the longest record that the service accepts, which has 524,288 characters. */
const mostBytes = 4 * 524_288 + 4;
const lineFeed = 10;

/**
 * Returns the lines of a file without reading the whole file into memory. Shortens a line that is longer than any
 * record, so that the service refuses it. Marks a line that is not UTF-8, so that it is not JSON.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    const kept = part.subarray(0, mostBytes - size);
    if (kept.length > 0) parts.push(kept);
    size += kept.length;
  };
  const take = (): string => {
    const line = Buffer.concat(parts);
    parts = [];
    size = 0;
    return textOf(line);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

const strict = new TextDecoder('utf-8', { fatal: true });

function textOf(line: Buffer): string {
  try {
    return strict.decode(line);
  } catch {
    return line.length >= mostBytes ? line.toString('utf8') : `not UTF-8: ${line.toString('utf8')}`;
  }
}
