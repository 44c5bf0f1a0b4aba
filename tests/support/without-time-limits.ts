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

/** The environment of a program without the service's time limit for statements and the example server's for its shutdown. */
export const withoutTimeLimits = without(statementTimeoutMs, longestStopMs);

/** Also without the limit of the wait for a proxy. Only for servers that a proxy checks until they end. */
export const untilProxiesNotice = without(statementTimeoutMs, longestStopMs, longestNoticeMs);
