import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuthServiceOptions } from 'latchkey';
import { expect, test } from 'vitest';
import { localWebhooks } from '../features/support/webhooks.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/example-server.ts';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/webhooks.md');
const root = fileURLToPath(new URL('../../', import.meta.url));

test('the receiver in the guide verifies signatures, and handles each event once', async () => {
  // Inside the repository, so that the program can import packages.
  const parent = join(root, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'webhooks-guide-'));
  writeFileSync(join(folder, 'receiver.mjs'), guide.block('standardwebhooks'));
  const service = await startTestService(localWebhooks);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { webhooks, users } = service.auth.asOperator('ops');
  const { secret } = await webhooks.create({ name: 'guide', url, events: ['user.', 'webhook.test'] });
  const env = { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env });
  let printed = '';
  receiver.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  try {
    await eventually(async () => (await webhooks.test('guide')).fault === null);
    await users.create({ username: 'ada' });
    await sequence(service.database.sql);
    await service.turnClock({ seconds: 10 });
    await eventually(() => printed.includes('user.create success ops'));
    // The service sends each test at once, and again in order.
    const tests = (await service.auditRows()).filter(({ event }) => event === 'webhook.test');
    expect(printed.match(/webhook\.test success ops/g)).toHaveLength(tests.length);
    const forged = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    });
    expect(forged.status).toBe(401);
  } finally {
    receiver.kill();
    await service.close();
    rmSync(folder, { recursive: true });
  }
});

test('with the option of the guide, a webhook can have an address in the listed private network, but not in another one', async () => {
  let service: TestService | undefined;
  await runStatements(guide.block('allowedNetworks'), {
    createAuthService: async (options: AuthServiceOptions) => {
      service = await startTestService(options);
    },
  });
  const webhooks = service?.auth.asOperator('ops').webhooks;
  expect(await webhooks?.create({ name: 'inside', url: 'https://10.1.2.3/' })).toMatchObject({
    webhook: { url: 'https://10.1.2.3/' },
  });
  await expect(webhooks?.create({ name: 'other', url: 'https://10.2.0.1/' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await service?.close();
});
