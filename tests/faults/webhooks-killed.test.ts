import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sendThroughKills } from '../campaigns/webhooks/kills.ts';
import { bundleProgram } from '../support/program-bundle.ts';
import { randomBytesOf } from '../support/random.ts';
import { secret, startTestService } from '../support/test-service.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';

const bytes = randomBytesOf('webhooks-killed');

test('a receiver gets each event at least once and in order, although the process that sends is killed', async () => {
  const service = await startTestService({
    auditSequencer: true,
    webhooks: { allowedNetworks: ['127.0.0.1'] },
  });
  const script = await bundleProgram(
    'tests/campaigns/webhooks/service-program.ts',
    `webhooks-${process.pid}.mjs`,
  );
  try {
    const report = await sendThroughKills({
      auth: service.auth,
      sql: service.database.sql,
      databaseUrl: service.database.url,
      secret,
      script,
      env: withoutTimeLimits,
      kills: 4,
      random: () => bytes(4).readUInt32BE() / 2 ** 32,
    });
    expect(report).toEqual({
      events: 32,
      requests: expect.any(Number),
      missing: [],
      outOfOrder: [],
      invalidSignatures: 0,
    });
  } finally {
    rmSync(script, { force: true });
    await service.close();
  }
});
