import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Tests import the package by its public entries; the alias lets them run on the source, without a build. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^latchkey$/, replacement: source('index.ts') },
      { find: /^latchkey\/(client|testing|embedded)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    // Most tests wait for PostgreSQL most of the time: two at least, also on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
