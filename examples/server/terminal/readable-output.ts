import type { DestinationStream } from 'pino';

interface Line {
  level: number;
  msg?: string;
  err?: { message?: string; stack?: string };
  requestId?: string;
}

// The levels of pino.
const warning = 40;
const error = 50;

/** Turns the lines of the log into sentences for a terminal. */
export const readableOutput = (output: { write(text: string): unknown }): DestinationStream => ({
  write: (line) => void output.write(`${sentenceOf(JSON.parse(line))}\n`),
});

function sentenceOf({ level, msg = '', err, requestId }: Line): string {
  const kind = level >= error ? 'Error: ' : level >= warning ? 'Warning: ' : '';
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const cause = err === undefined ? '' : `\n${err.stack ?? err.message ?? ''}`;
  return `${kind}${msg}${request}${cause}`;
}
