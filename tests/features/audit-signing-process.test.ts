import { AuthError } from 'latchkey';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { randomBytesOf } from '../support/random.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const auditSigningKey = randomBytesOf('features/audit-signing-process')(32).toString('base64url');
const changed = 'the audit log in the database is not the one that this service has signed';

let database: TestDatabase;
let running: ServiceOn[];
beforeEach(async () => {
  database = await createTestDatabase();
  running = [];
});
afterEach(async () => {
  for (const service of running) await service.close();
  await database.drop();
});

async function start(options: Parameters<typeof startServiceOn>[1]): Promise<ServiceOn> {
  const service = await startServiceOn(database.url, options);
  running.push(service);
  return service;
}
async function stop(service: ServiceOn): Promise<void> {
  running = running.filter((other) => other !== service);
  await service.close();
}

const auditOf = ({ auth }: ServiceOn) => auth.asOperator('ops').audit;
const sizeOf = async (service: ServiceOn) => (await auditOf(service).checkpoint()).size;
/** Writes an event, and waits until a process has given it its position. */
async function grow(service: ServiceOn): Promise<void> {
  const before = await sizeOf(service);
  await service.auth.asOperator('ops').users.create({ username: `user-${crypto.randomUUID().slice(0, 8)}` });
  await eventually(async () => (await sizeOf(service)) > before);
}
const keysOf = async (service: ServiceOn) => (await auditOf(service).checkpoint()).keys;

/** Follows the steps in docs/guides/audit-log.md for a log that a process with only the secret has signed. */
async function separate(): Promise<{ web: ServiceOn; signer: ServiceOn; key: string }> {
  const former = await start({ auditSequencer: true });
  await grow(former);
  const auditVerifierKeys = await keysOf(former);
  await stop(former);
  const first = await start({ auditSequencer: true, auditSigningKey, auditVerifierKeys });
  await grow(first);
  const [key = ''] = await keysOf(first);
  await stop(first);
  const signer = await start({ auditSequencer: true, auditSigningKey });
  const web = await start({ auditSequencer: false, auditVerifierKeys: key });
  return { web, signer, key };
}

describe('a process that signs alone', () => {
  test('continues the log of the secret, and the other processes verify with its public key', async () => {
    const { web, signer, key } = await separate();
    await grow(web);
    expect(await auditOf(web).verify()).toMatchObject({ ok: true, size: 3, problems: [] });
    expect(await auditOf(web).verify({ newest: 1000 })).toMatchObject({ ok: true });
    expect(await auditOf(signer).verify({ key })).toMatchObject({ ok: true });
    expect(await keysOf(web)).toEqual([key]);
    expect([...web.logged, ...signer.logged].filter(({ level }) => level !== 'info')).toEqual([]);
  });

  test('is the only one that can start a new log, which the others trust after they get its key', async () => {
    const { web, signer } = await separate();
    const refused = await auditOf(web)
      .startNewLog({ reason: 'restored a backup' })
      .catch((error) => error);
    expect(refused).toBeInstanceOf(AuthError);
    expect(refused).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('this process does not sign the audit log'),
    });
    await auditOf(signer).startNewLog({ reason: 'restored a backup' });
    expect(await auditOf(web).verify()).toMatchObject({ ok: false });
    expect(await keysOf(web)).toEqual([]);
    const renewed = await start({ auditVerifierKeys: await keysOf(signer) });
    await grow(renewed);
    expect(await auditOf(renewed).verify()).toMatchObject({ ok: true });
  });
});

describe('an attacker who has the database and the secret of a process that does not sign', () => {
  test('cannot sign a log that the other processes accept', async () => {
    const { web, signer } = await separate();
    const attacker = await start({});
    await auditOf(attacker).startNewLog({ reason: 'nothing to see' });
    expect(await auditOf(attacker).verify()).toMatchObject({ ok: true });
    const { ok, problems } = await auditOf(web).verify();
    expect(ok).toBe(false);
    expect(problems[0]?.message).toContain('no known key has signed the note');
    await web.auth.asOperator('ops').users.create({ username: 'ada' });
    await eventually(() => signer.logged.some(({ message }) => message.startsWith(changed)));
  });
});

test('a process that knows only the secret prints no public key of a log that another key has signed', async () => {
  await separate();
  const other = await start({});
  expect(await keysOf(other)).toEqual([]);
  expect(await auditOf(other).verify()).toMatchObject({ ok: false });
});
