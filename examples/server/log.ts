import { type Logger, pino } from 'pino';

/** One JSON object a line on standard output. Headers, cookies and bodies are never logged, so neither is a secret. */
export const createLog = (): Logger => pino({ level: process.env.LOG_LEVEL || 'info' });
