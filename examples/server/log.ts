import { isProduction } from 'latchkey';
import { type Logger, pino } from 'pino';
import { readableOutput } from './terminal/readable-output.ts';

/** Whether the output is readable text: it goes to a terminal, in development, and LOG_LEVEL is not set. */
export const isForTerminal = (): boolean =>
  process.stdout.isTTY === true && !process.env.LOG_LEVEL && !isProduction();

/**
 * Logs one JSON object per line to standard output, and short sentences to a terminal. Headers, cookies and bodies are
 * never logged, because they contain secrets.
 */
export const createLog = (forTerminal: boolean): Logger =>
  forTerminal
    ? pino({ level: 'info' }, readableOutput(process.stdout))
    : pino({ level: process.env.LOG_LEVEL || 'info' });
