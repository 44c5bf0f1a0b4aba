import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { printableJson } from './words/printable.ts';

/** A line of an NDJSON file. Empty lines are left out. */
export interface NdjsonLine {
  /** Counts from 1, as editors do. */
  number: number;
  value: unknown;
  /** Why the line is not JSON. Null: `value` is its value. */
  fault: string | null;
}

/** A longer line is a fault. So a file without line breaks does not fill the memory. */
export const longestLine = 512 * 1024;

const newline = 0x0a;

/** Opens a file, or standard input for `-`. */
export const openInput = (file: string): AsyncIterable<Buffer> =>
  file === '-' ? process.stdin : createReadStream(file);

/** Reads the lines of an NDJSON file one by one. */
export async function* readNdjson(input: AsyncIterable<Buffer>): AsyncGenerator<NdjsonLine> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    // Of a line that is too long, only the length matters.
    if (bytes <= longestLine) parts.push(part);
  };
  const finish = (): NdjsonLine | null => {
    number += 1;
    const line = lineOf(number, parts, bytes);
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      const line = finish();
      if (line) yield line;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  const last = bytes > 0 ? finish() : null;
  if (last) yield last;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns null for an empty line. */
function lineOf(number: number, parts: readonly Buffer[], bytes: number): NdjsonLine | null {
  const faulty = (fault: string) => ({ number, value: null, fault });
  if (bytes > longestLine) return faulty(`expected at most ${longestLine / 1024} KiB in a line`);
  try {
    const text = utf8.decode(Buffer.concat(parts)).trim();
    return text === '' ? null : { number, value: JSON.parse(text), fault: null };
  } catch (error) {
    return faulty(error instanceof SyntaxError ? 'expected JSON' : 'expected UTF-8');
  }
}

export const ndjson = (value: unknown): string => `${printableJson(value)}\n`;

/** Creates a file that only the operator can read. Fails if the file exists. */
export const createFile = (file: string): Promise<FileHandle> => open(file, 'wx', 0o600);
