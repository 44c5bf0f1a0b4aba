import { type Logger, pino } from 'pino';

/**
 * Logs one JSON object per line to standard output. Headers, cookies and bodies are never logged, because they contain
 * secrets.
 */
export const createLog = (): Logger => pino({ level: process.env.LOG_LEVEL || 'info' });
