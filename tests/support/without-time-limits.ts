import { vi } from 'vitest';
import { longestNoticeMs } from '../../examples/server/readiness.ts';
import { longestStopMs } from '../../examples/server/stop-on-signal.ts';

const { statementTimeoutMs } = await vi.importActual<typeof import('../../src/db/statement-timeout.ts')>(
  '../../src/db/statement-timeout.ts',
);

function without(...limitsMs: number[]): { NODE_OPTIONS: string } {
  const module = new URL('without-time-limits.mjs', import.meta.url);
  for (const ms of limitsMs) module.searchParams.append('ms', `${ms}`);
  return { NODE_OPTIONS: `--import=${module.href}` };
}

/**
 * The environment of a program that has neither the service's time limit for statements nor the example server's time
 * limit for its shutdown.
 */
export const withoutTimeLimits = without(statementTimeoutMs, longestStopMs);

/** Also removes the limit of the wait for a proxy. Only for servers that a proxy checks until they end. */
export const untilProxiesNotice = without(statementTimeoutMs, longestStopMs, longestNoticeMs);
