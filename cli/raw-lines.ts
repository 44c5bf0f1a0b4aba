/** The bytes of a line, without its end. */
export interface RawLine {
  bytes: Buffer;
  /** Whether the line is longer than `mostBytes`. Then `bytes` contains only its beginning. */
  isTooLong: boolean;
}

const lineFeed = 10;

/** Reads a file line by line. Keeps at most `mostBytes` of a line, so a file without line ends does not fill the memory. */
export async function* rawLinesOf(chunks: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    const kept = part.subarray(0, Math.max(0, mostBytes - size));
    if (kept.length > 0) parts.push(kept);
    size += part.length;
  };
  const take = (): RawLine => {
    const line = { bytes: Buffer.concat(parts), isTooLong: size > mostBytes };
    parts = [];
    size = 0;
    return line;
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
