import { vi } from 'vitest';

const { statementTimeoutMs } = await vi.importActual<typeof import('../../src/db/statement-timeout.ts')>(
  '../../src/db/statement-timeout.ts',
);

/** The environment of a program that sends statements without the service's time limit. */
export const unlimitedStatements = {
  NODE_OPTIONS: `--import=${new URL(`unlimited-children.mjs?ms=${statementTimeoutMs}`, import.meta.url).href}`,
};
