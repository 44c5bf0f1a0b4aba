import { rawLinesOf } from './raw-lines.ts';

/** More bytes than the longest record that the service accepts, which has 524,288 characters. */
const mostBytes = 4 * 524_288 + 4;

/**
 * Returns the lines of a file without reading the whole file into memory. Shortens a line that is longer than any valid
 * record. The service still refuses it, because it is too long. Adds a prefix to a line that is not UTF-8, so that the
 * service refuses it as invalid JSON.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { bytes } of rawLinesOf(chunks, mostBytes)) yield textOf(bytes);
}

const strict = new TextDecoder('utf-8', { fatal: true });

function textOf(line: Buffer): string {
  try {
    return strict.decode(line);
  } catch {
    return line.length >= mostBytes ? line.toString('utf8') : `not UTF-8: ${line.toString('utf8')}`;
  }
}
