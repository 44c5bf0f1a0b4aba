import { type FileHandle, open } from 'node:fs/promises';
import { type RawLine, rawLinesOf } from './raw-lines.ts';
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
const longestLine = 512 * 1024;

/** Reads the lines of an NDJSON file one by one. */
export async function* readNdjson(input: AsyncIterable<Buffer>): AsyncGenerator<NdjsonLine> {
  let number = 0;
  for await (const raw of rawLinesOf(input, longestLine)) {
    number += 1;
    const line = lineOf(number, raw);
    if (line) yield line;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns null for an empty line. */
function lineOf(number: number, { bytes, isTooLong }: RawLine): NdjsonLine | null {
  const faulty = (fault: string) => ({ number, value: null, fault });
  if (isTooLong) return faulty(`expected at most ${longestLine / 1024} KiB in a line`);
  try {
    const text = utf8.decode(bytes).trim();
    return text === '' ? null : { number, value: JSON.parse(text), fault: null };
  } catch (error) {
    return faulty(error instanceof SyntaxError ? 'expected JSON' : 'expected UTF-8');
  }
}

export const ndjson = (value: unknown): string => `${printableJson(value)}\n`;

/** Creates a file that only the operator can read. Fails if the file exists. */
export const createFile = (file: string): Promise<FileHandle> => open(file, 'wx', 0o600);
