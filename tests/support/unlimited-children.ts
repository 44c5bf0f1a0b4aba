import { vi } from 'vitest';
import { longestStopMs } from '../../examples/server/stop-on-signal.ts';

const { statementTimeoutMs } = await vi.importActual<typeof import('../../src/db/statement-timeout.ts')>(
  '../../src/db/statement-timeout.ts',
);

const limits = `unlimited-children.mjs?ms=${statementTimeoutMs}&ms=${longestStopMs}`;

/** The environment of a program without the service's time limit for statements and the example server's for its shutdown. */
export const withoutTimeLimits = { NODE_OPTIONS: `--import=${new URL(limits, import.meta.url).href}` };
