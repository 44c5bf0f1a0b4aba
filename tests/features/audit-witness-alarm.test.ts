import Koa from 'koa';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answerHealth } from '../../examples/server/health.ts';
import { createMetrics } from '../../examples/server/metrics/registry.ts';
import { Readiness } from '../../examples/server/readiness.ts';
import { createAuditWitness } from '../../src/service/audit-witness.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { eventually } from '../support/eventually.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { TlogWitness } from '../support/tlog-witness.ts';

let service: TestService;
let app: ServedApp;
const witness = new TlogWitness(() => runtimeOf(service.auth).clock().getTime());
const operator = () => service.auth.asOperator('ops');

beforeAll(() => witness.listen());
afterAll(() => witness.close());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  witness.answer = null;
  witness.latest = { origin: '', size: 0, root: Buffer.alloc(32) };
  await start({ auditWitnessUrl: witness.url, auditWitnessKey: witness.key });
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
});

async function start(options: Parameters<typeof startTestService>[0]): Promise<void> {
  service = await startTestService(options);
  app = await serve(new Koa().use(answerHealth(service.auth, new Readiness())));
}
async function stop(): Promise<void> {
  await app.close();
  await service.close();
}

const lag = () => service.auth.statistics().auditLog;
const gaugeOf = async (name: string) =>
  (await createMetrics(service.auth).registry.getSingleMetric(name)?.get())?.values[0]?.value;
const readiness = async () => {
  const response = await fetch(`${app.url}/readyz`);
  return [response.status, await response.json()];
};
const errors = () => service.logged.filter(({ level }) => level === 'error').map(({ message }) => message);

/** Writes an event. Gives it its position, and asks the witness for a cosignature. */
async function grow(): Promise<void> {
  await operator().users.create({ username: `user-${crypto.randomUUID().slice(0, 8)}` });
  await sequence(service.database.sql);
  witness.logKey = `${(await operator().audit.checkpoint()).keys[0]}`;
  await createAuditWitness(runtimeOf(service.auth)).round();
}

async function letPass(seconds: number): Promise<void> {
  await service.turnClock({ seconds });
  await service.database
    .sql`update latchkey.audit_log set caught_up_at = caught_up_at - ${`${seconds} seconds`}::interval`;
}

/** Lets the service check the log, as it does every minute. */
async function letCheck(): Promise<void> {
  const before = service.statements.length;
  await vi.advanceTimersByTimeAsync(60_000);
  const sent = (part: string) => service.statements.slice(before).some((text) => text.includes(part));
  await eventually(() => sent('waiting_seconds') && sent('last_position'));
  await eventually(() => lag().waitingSeconds !== null);
}

test('a witness that cosigns raises no alarm', async () => {
  await grow();
  await letPass(200);
  await letCheck();
  await eventually(() => lag().witnessSeconds !== null);
  expect(lag().witnessSeconds).toBeGreaterThanOrEqual(200);
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
  expect(errors()).toEqual([]);
});

test('a witness that has not cosigned for five minutes causes an error in the log, and appears in a metric and in /readyz', async () => {
  await grow();
  witness.answer = { status: 503, body: '' };
  await grow();
  await letPass(301);
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(errors()).toEqual([expect.stringContaining('the witness has not cosigned the audit log')]);
  expect(await readiness()).toEqual([200, { status: 'ready', auditWitness: 'behind' }]);
  expect(await gaugeOf('latchkey_audit_witness_seconds')).toBeGreaterThanOrEqual(301);
  expect(await gaugeOf('latchkey_audit_log_waiting_seconds')).toBe(0);

  witness.answer = null;
  await grow();
  await letCheck();
  await eventually(() => service.logged.at(-1)?.message === 'the witness cosigns the audit log again');
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
});

test('a witness that has never cosigned is late five minutes after the start of the process', async () => {
  witness.answer = { status: 503, body: '' };
  await grow();
  await letPass(240);
  await letCheck();
  await eventually(() => lag().witnessSeconds !== null);
  expect(errors()).toEqual([]);
  await letPass(60);
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(await readiness()).toEqual([200, { status: 'ready', auditWitness: 'behind' }]);
});

test('a cosignature of a log that a new log has replaced does not count', async () => {
  await grow();
  await operator().audit.startNewLog({ reason: 'restored a backup' });
  const sql = service.database.sql;
  const [log] = await sql`select cosigned_note from latchkey.audit_log`;
  await letPass(301);
  const text = `${log?.cosigned_note.split('\n\n')[0]}\n`;
  await sql`update latchkey.audit_log set cosigned_note = ${`${text}\n${witness.cosign(text)}`}`;
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(lag().witnessSeconds).toBeGreaterThanOrEqual(301);
});

test('a new cosignature of an old checkpoint does not count if the log grew more than five minutes ago', async () => {
  await grow();
  witness.answer = { status: 503, body: '' };
  const sql = service.database.sql;
  const [log] = await sql`select cosigned_note from latchkey.audit_log`;
  const text = `${log?.cosigned_note.split('\n\n')[0]}\n`;
  const cosignAgain = () =>
    sql`update latchkey.audit_log set cosigned_note = ${`${text}\n${witness.cosign(text)}`}`;
  await grow();
  await cosignAgain();
  await letCheck();
  await eventually(() => lag().witnessSeconds !== null);
  expect(errors()).toEqual([]);
  await letPass(301);
  await cosignAgain();
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(lag().witnessSeconds).toBeGreaterThanOrEqual(301);
});

test('a cosignature by another key does not count', async () => {
  await grow();
  const sql = service.database.sql;
  const [log] = await sql`select cosigned_note from latchkey.audit_log`;
  await letPass(301);
  const [text, signatures] = `${log?.cosigned_note}`.split('\n\n');
  const later = signatures?.replace(/(?<= )[^ ]+\n$/, `${Buffer.alloc(76, 7).toString('base64')}\n`);
  await sql`update latchkey.audit_log set cosigned_note = ${`${text}\n\n${later}`}`;
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(errors()).toEqual([expect.stringContaining('the witness has not cosigned the audit log')]);
});

test('events without positions appear in a metric and in /readyz', async () => {
  await grow();
  await operator().users.create({ username: 'ada' });
  await letPass(301);
  await letCheck();
  await eventually(() => errors().length > 0);
  expect(errors()).toContainEqual(expect.stringContaining('audit events have waited for their positions'));
  expect(await readiness()).toEqual([200, { status: 'ready', auditLog: 'behind', auditWitness: 'behind' }]);
  expect(await gaugeOf('latchkey_audit_log_waiting_seconds')).toBeGreaterThanOrEqual(301);
});

test('without a witness, only the positions are checked', async () => {
  await stop();
  await start({});
  await operator().users.create({ username: 'ada' });
  await sequence(service.database.sql);
  await service.turnClock({ seconds: 301 });
  await vi.advanceTimersByTimeAsync(60_000);
  await eventually(() => lag().waitingSeconds !== null);
  expect(lag()).toEqual({ waitingSeconds: 0, witnessSeconds: null });
  expect(await readiness()).toEqual([200, { status: 'ready' }]);
  expect(await gaugeOf('latchkey_audit_witness_seconds')).toBe(0);
});
