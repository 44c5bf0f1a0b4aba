import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAuditProof } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { lastCursor } from './support/feed.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ auditSequencer: true });
  await signUp(service);
});
afterAll(() => service.close());

test('the functions in the guide of the log prove an event, check the proof, and verify the log', async () => {
  const guide = readFileSync(join(docs, 'guides/audit-log.md'), 'utf8');
  const [, inCode = ''] = /In code: ([\s\S]*?)\n\n/.exec(guide) ?? [];
  const names = [...inCode.matchAll(/(\w+)\(/g)].map(([, name]) => name);
  expect(names).toEqual(['asOperator', 'verify', 'prove', 'checkpoint', 'startNewLog', 'checkAuditProof']);
  const [, eventId = ''] = (await lastCursor(service)).split(':');
  const { audit } = service.auth.asOperator('ops');
  const proof = await audit.prove(eventId);
  const {
    keys: [key = ''],
  } = await audit.checkpoint();
  expect(checkAuditProof(`${proof}`, [key])).toMatchObject({ event: { id: eventId } });
  expect((await audit.verify()).problems).toEqual([]);
  await audit.startNewLog({ reason: 'restored a backup' });
  expect((await service.auditRows()).at(-1)).toMatchObject({ event: 'audit.new_log' });
});
