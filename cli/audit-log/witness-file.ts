import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Finds checkpoints in a file. A line can be JSON with the checkpoint in `note`, as in AUDIT_CHECKPOINT_FILE and in the
 * log of the service. A checkpoint can also be plain text: three lines, an empty line, signatures.
 */
export async function* notesOf(stream: Readable): AsyncGenerator<string> {
  let text: string[] = [];
  let signatures: string[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    const note = line.startsWith('{') ? noteIn(line) : undefined;
    if (note !== undefined) yield note;
    else if (line.startsWith('\u2014 ')) signatures.push(line);
    else {
      if (signatures.length > 0) {
        yield noteOf(text, signatures);
        [text, signatures] = [[], []];
      }
      if (line !== '') text.push(line);
    }
  }
  if (signatures.length > 0) yield noteOf(text, signatures);
}

const noteOf = (text: readonly string[], signatures: readonly string[]) =>
  [...text.slice(-3), '', ...signatures, ''].join('\n');

function noteIn(line: string): string | undefined {
  try {
    const { note } = JSON.parse(line);
    return typeof note === 'string' ? note : undefined;
  } catch {
    return undefined;
  }
}
