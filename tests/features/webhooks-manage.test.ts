import { createAuthService } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUsername, type Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { secret as jwtSecret, startTestService, type TestService } from '../support/test-service.ts';
import { signUpAs } from './support/authority.ts';
import { isSigned, localWebhooks, startReceiver } from './support/webhooks.ts';

const path = '/auth/admin/webhooks';
const url = 'https://siem.example.com/hooks?key=hidden';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.sql`delete from latchkey.webhooks`;
});

const operator = () => service.auth.asOperator('ops').webhooks;
const create = async (given: object = {}) => {
  const answer = await superadmin.browser.post(path, { name: newUsername('hook'), url, ...given });
  return { answer, ...(answer.body as { webhook: { id: string; name: string }; secret: string }) };
};
const eventsAbout = async (id: string) =>
  (await service.auditRows())
    .filter(({ target_id }) => target_id === id)
    .map(({ event, outcome, actor_type, target_type, details }) => ({
      event,
      outcome,
      actor_type,
      target_type,
      details,
    }));

describe('a superadmin', () => {
  test('creates a webhook, and sees its secret only once', async () => {
    const { answer, webhook, secret } = await create({ events: ['passkey.', 'session.revoke', 'passkey.'] });
    expect(answer.status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      url,
      events: ['passkey.', 'session.revoke'],
      state: 'active',
      reason: null,
    });
    const listed = await superadmin.browser.get(path);
    expect(listed.body).toEqual({ webhooks: [webhook] });
    const [row] = await service.database.sql`select * from latchkey.webhooks`;
    const stored =
      JSON.stringify(row) + JSON.stringify(await service.auditRows()) + JSON.stringify(service.logged);
    expect(stored).not.toContain(secret.slice(6));
    expect(await eventsAbout(webhook.id)).toEqual([
      {
        event: 'webhook.create',
        outcome: 'success',
        actor_type: 'user',
        target_type: 'webhook',
        details: { host: 'siem.example.com', events: 'passkey.,session.revoke' },
      },
    ]);
    expect(JSON.stringify(await service.auditRows())).not.toContain('hidden');
  });

  test('changes, pauses, resumes and deletes a webhook and rotates its secret, and each action is recorded', async () => {
    const { webhook } = await create();
    const at = `${path}/${webhook.id}`;
    const { browser } = superadmin;
    expect((await browser.patch(at, { events: ['user.'] })).body.webhook).toMatchObject({
      url,
      events: ['user.'],
    });
    expect((await browser.patch(at, { url: 'https://other.example.com/' })).body.webhook).toMatchObject({
      url: 'https://other.example.com/',
      events: ['user.'],
    });
    expect((await browser.post(`${at}/pause`)).body.webhook).toMatchObject({ state: 'paused', reason: null });
    expect((await browser.post(`${at}/resume`)).body.webhook).toMatchObject({ state: 'active' });
    const rotated = await browser.post(`${at}/rotate-secret`);
    expect(rotated.body.webhook.rotatingUntil).toEqual(expect.any(String));
    expect((await browser.delete(at)).status).toBe(204);
    expectProblem(await browser.post(`${at}/test`), 'not_found');
    expect((await eventsAbout(webhook.id)).map(({ event }) => event)).toEqual([
      'webhook.create',
      'webhook.update',
      'webhook.update',
      'webhook.pause',
      'webhook.resume',
      'webhook.rotate_secret',
      'webhook.delete',
    ]);
  });

  test('manages webhooks with the browser client', async () => {
    const { cookies } = superadmin.browser;
    const client = createAuthClient({
      baseUrl: `${service.url}/auth`,
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...init?.headers, Origin: 'http://localhost:3000', Cookie: cookieText(cookies) },
        }),
    });
    const { webhook, secret } = await client.webhooks.create({ name: 'from-client', url });
    expect(secret).toMatch(/^whsec_/);
    expect((await client.webhooks.update(webhook.id, { events: ['user.'] })).events).toEqual(['user.']);
    expect((await client.webhooks.rotateSecret(webhook.id)).secret).not.toBe(secret);
    expect((await client.webhooks.pause(webhook.id)).state).toBe('paused');
    expect((await client.webhooks.resume(webhook.id, { after: 'end' })).state).toBe('active');
    expect((await client.webhooks.list()).map(({ name }) => name)).toEqual(['from-client']);
    await client.webhooks.delete(webhook.id);
    expect(await client.webhooks.list()).toEqual([]);
  });
});

const cookieText = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

test.each([
  [{ name: 'Siem' }, 'name'],
  [{ name: '-siem' }, 'name'],
  [{ name: '' }, 'name'],
  [{ name: 'a'.repeat(65) }, 'name'],
  [{ url: 'http://siem.example.com/' }, 'url'],
  [{ url: 'https://ada:secret@siem.example.com/' }, 'url'],
  [{ url: 'https://10.0.0.1/' }, 'url'],
  [{ events: [] }, 'events'],
  [{ events: ['no.such_event'] }, 'events'],
  [{ events: ['passkey'] }, 'events'],
])('a webhook with an invalid value is refused: %j', async (given, field) => {
  const { answer } = await create(given);
  expectProblem(answer, 'invalid_request', { errors: [{ path: field, message: expect.any(String) }] });
});

test('a webhook cannot start after an event that the log does not contain', async () => {
  const after = `5:${crypto.randomUUID()}`;
  expectProblem((await create({ after })).answer, 'log_changed');
  const detail = expect.stringContaining('after:');
  expectProblem((await create({ after: 'yesterday' })).answer, 'invalid_request', { detail });
});

test('two webhooks cannot have the same name, and the refusal is recorded', async () => {
  const { webhook } = await create();
  expectProblem((await create({ name: webhook.name })).answer, 'webhook_name_taken');
  const refused = (await service.auditRows()).at(-1);
  expect(refused).toMatchObject({ event: 'webhook.create', outcome: 'failure', target_name: webhook.name });
});

test('concurrent requests do not create more than 20 webhooks', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 25 }, () => operator().create({ name: newUsername('hook'), url })),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'too_many_webhooks' });
  expect(await operator().list()).toHaveLength(20);
});

test('of concurrent requests with one name, one creates a webhook', async () => {
  const name = newUsername('hook');
  const made = await Promise.allSettled(Array.from({ length: 10 }, () => operator().create({ name, url })));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['name', () => operator().create({ name: undefined, url } as never)],
  ['url', () => operator().create({ name: 'siem', url: null } as never)],
  ['events', () => operator().create({ name: 'siem', url, events: 'user.' } as never)],
  ['events', () => operator().update('siem', { events: [undefined] } as never)],
  ['after', () => operator().resume('siem', { after: null } as never)],
  ['name', () => operator().delete(undefined as never)],
])('a value of the wrong type causes a TypeError that names %s', async (name, act) => {
  await expect(act()).rejects.toThrow(TypeError);
  await expect(act()).rejects.toThrow(`${name}:`);
});

test('an unknown name causes `not_found`', async () => {
  for (const act of ['pause', 'resume', 'test', 'rotateSecret', 'delete'] as const)
    await expect(operator()[act]('absent')).rejects.toMatchObject({ code: 'not_found' });
});

describe('a service without webhooks', () => {
  let without: ServiceOn;
  beforeAll(async () => {
    without = await startServiceOn(service.database.url, { webhooks: false });
  });
  afterAll(() => without.close());

  test('has no endpoints for them', async () => {
    const browser = without.browser(superadmin.browser.cookies);
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, { name: 'siem', url })).status).toBe(404);
  });

  test('refuses the actions of operators, and records the refusals of changes', async () => {
    const { webhooks } = without.auth.asOperator('ops');
    await expect(webhooks.list()).rejects.toMatchObject({ code: 'feature_disabled' });
    await expect(webhooks.create({ name: 'siem', url })).rejects.toMatchObject({ code: 'feature_disabled' });
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'webhook.create',
      outcome: 'failure',
      details: { reason: 'webhooks_off' },
    });
  });
});

test('the in-memory database sends events to webhooks', async () => {
  const receiver = await startReceiver();
  const auth = await createAuthService({
    database: createInMemoryDatabase(),
    migrate: true,
    secret: jwtSecret,
    env: {},
    auditSequencer: false,
    ...localWebhooks,
  });
  const { users, webhooks } = auth.asOperator('ops');
  const { secret } = await webhooks.create({ name: 'siem', url: receiver.url, events: ['user.'] });
  for (const username of ['ada', 'ben']) await users.create({ username });
  await eventually(() => receiver.received.length === 2);
  expect(receiver.received.map(({ event }) => event.data.target.name)).toEqual(['ada', 'ben']);
  for (const one of receiver.received) expect(isSigned(one, secret)).toBe(true);
  expect((await webhooks.test('siem')).fault).toBeNull();
  await webhooks.pause('siem');
  expect((await webhooks.resume('siem')).state).toBe('active');
  await webhooks.delete('siem');
  expect(await webhooks.list()).toEqual([]);
  await auth.close();
  await receiver.close();
});
