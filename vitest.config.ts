import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { areaFile, compileArea } from './scripts/catalogue.ts';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

const together = [
  'tests/{features,http,rules,core,client,memory,testing,vectors,db,documents,faults,fuzz,cli,browser,misuse,interleavings,properties,time,campaigns,migrating,operation,package}/**/*.test.{ts,tsx}',
  // A consumer's tests, as a consumer writes them.
  'examples/**/*.test.ts',
];
/** They wait for timers of other programs (proxies, poolers), which no test can control. */
const realTime = ['tests/operation/behind-*.test.ts', 'tests/faults/pgbouncer-outage.test.ts'];
/** They replace a module, which another test file must not have loaded before. */
const mocked = [
  'tests/features/password-{queue,work}.test.ts',
  'tests/memory/session-bound.test.ts',
  'tests/vectors/webauthn-{attestations,registrations,sign-ins}.test.ts',
];

// The seed of all random values in the tests. The workers inherit it.
process.env.SEED ??= `${randomInt(2 ** 31)}`;

/** Tests import the package by its public entries; the alias lets them run on the source, without a build. */
export default defineConfig({
  // Compiles the messages of the pages, as the build does.
  plugins: [
    {
      name: 'messages',
      enforce: 'pre',
      transform: (code, id) => (areaFile.test(id) ? compileArea(code) : undefined),
    },
  ],
  resolve: {
    alias: [
      { find: /^latchkey$/, replacement: source('index.ts') },
      { find: /^latchkey\/elements\/([a-z-]+)$/, replacement: source('elements/$1.ts') },
      {
        find: /^latchkey\/(client|elements|testing|embedded|service-token)$/,
        replacement: source('$1/index.ts'),
      },
    ],
  },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/unlimited-statements.ts'],
    // One more than cores, because many tests wait for a browser, a server or PostgreSQL.
    maxWorkers: availableParallelism() + 1,
    // Keeps the transformed modules for the next run.
    experimental: { fsModuleCache: true },
    // The only limit in time of most tests. A test that takes seconds here can take minutes on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 180_000,
    // Slightly shorter, so that a failing poll names its expectation.
    expect: { poll: { timeout: 170_000 } },
    reporters: ['default', './tests/support/run-report.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          // These have a service of their own and nothing in common: they load the modules once for all files.
          isolate: false,
          include: together,
          exclude: [...mocked, ...realTime],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...together, ...realTime] },
      },
      // Nowhere else is a test retried. The report at the end of the run names each retried test.
      { extends: true, test: { name: 'real-time', include: realTime, retry: 1 } },
      { extends: true, test: { name: 'mocked', include: mocked } },
    ],
  },
});
