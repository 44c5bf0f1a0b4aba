import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { median } from 'simple-statistics';
import { expect, test } from 'vitest';
import { bundleProgram } from '../support/program-bundle.ts';
import { randomBytesOf } from '../support/random.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

/**
 * The limit of the growth, in bytes. Counters of rate limits and compiled code grow by about 0.3 MB. If the session
 * cache keeps the ids of ended sessions, the heap grows by 1.2 MB.
 */
const maxGrowth = 600_000;

test('an hour of traffic does not increase the heap', async ({ signal }) => {
  const seed = `${randomBytesOf('features/heap-over-an-hour')(4).readUInt32BE()}`;
  const database = await createTestDatabase();
  const script = await bundleProgram('tests/features/support/hour-program.ts', `hour-${process.pid}.mjs`);
  const args = ['--expose-gc', script, database.url, secret, seed];
  const env = { ...process.env, ...withoutTimeLimits };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, signal });
  rmSync(script);
  await database.drop();
  const { samples, sessionChecks } = JSON.parse(stdout);
  expect(sessionChecks.fromCache).toBeGreaterThan(0);
  const third = samples.length / 3;
  const growth = median(samples.slice(-third)) - median(samples.slice(0, third));
  expect(growth, `seed ${seed}, heap sizes ${samples}`).toBeLessThan(maxGrowth);
});
