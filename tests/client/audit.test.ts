import { type AuditFilters, createAuthClient } from 'latchkey/client';
import { expect, test, vi } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const event = { id: 'e1', event: 'user.disable', outcome: 'success' };
const noUsers = { json: { users: [], nextCursor: null } };
const filters: Required<AuditFilters> = {
  event: 'user.',
  actorId: 'u1',
  impersonatorId: 'u3',
  targetId: 'u2',
  organizationId: 'o1',
  outcome: 'failure',
  from: '2026-01-01T00:00:00+01:00',
  to: '2026-02-01T00:00:00.000Z',
};

test('the client lists events with every filter', async () => {
  const service = fakeService({ 'GET /auth/admin/audit': { json: { events: [event], nextCursor: 'c2' } } });
  const { audit } = createAuthClient({ fetch: service.fetch });
  expect(await audit.list({ ...filters, limit: 10 })).toEqual({ events: [event], nextCursor: 'c2' });
  expect(Object.fromEntries(service.seen[0]?.query ?? [])).toEqual({ ...filters, limit: '10' });
});

test('the client follows the log from a cursor', async () => {
  const page = { events: [{ cursor: '7:e1', event }], cursor: '7:e1' };
  const service = fakeService({ 'GET /auth/admin/audit/feed': { json: page } });
  const { audit } = createAuthClient({ fetch: service.fetch });
  expect(await audit.feed()).toEqual(page);
  expect(
    await audit.feed({ after: '6:e0', limit: 10, waitSeconds: 30, event: ['user.', 'member.'] }),
  ).toEqual(page);
  expect(service.seen.map(({ query }) => Object.fromEntries(query))).toEqual([
    {},
    { after: '6:e0', limit: '10', wait: '30', event: 'user.,member.' },
  ]);
});

test('the client returns the proof of an event as text, and rejects text that is not a proof', async () => {
  const proof = 'c2sp.org/tlog-proof@v1\nindex 7\n';
  const route = 'GET /auth/admin/audit/e%2F1/proof';
  const service = fakeService({
    [route]: [{ text: proof }, { text: '<!doctype html>' }, { text: '' }, problem(404, 'not_found')],
  });
  const { audit } = createAuthClient({ fetch: service.fetch });
  expect(await audit.proof('e/1')).toBe(proof);
  for (const code of ['invalid_response', 'invalid_response', 'not_found'])
    await expect(audit.proof('e/1')).rejects.toMatchObject({ code });
});

test('the client reports a missing permission', async () => {
  const { fetch } = fakeService({ 'GET /auth/admin/audit': problem(403, 'forbidden') });
  await expect(createAuthClient({ fetch }).audit.list()).rejects.toMatchObject({ code: 'forbidden' });
});

const users = 'GET /auth/admin/users';

test('the client returns the export URL with every filter', async () => {
  const { audit } = createAuthClient({ fetch: fakeService({ [users]: noUsers }).fetch });
  expect(await audit.prepareExport()).toBe('/auth/admin/audit/export');
  const url = new URL(await audit.prepareExport(filters), 'https://example.org');
  expect(url.pathname).toBe('/auth/admin/audit/export');
  // A server reads an unescaped plus sign in a query as a space.
  expect(Object.fromEntries(url.searchParams)).toEqual(filters);
});

test('the client returns an export URL that starts with baseUrl', async () => {
  const { fetch } = fakeService({ 'GET /accounts/admin/users': noUsers });
  const { audit } = createAuthClient({ baseUrl: 'https://example.org/accounts/', fetch });
  expect(await audit.prepareExport({ event: '' })).toBe('https://example.org/accounts/admin/audit/export');
});

test('the client steps up before an export if the authentication is not fresh', async () => {
  const stale = problem(403, 'reauthentication_required');
  const { fetch, routes } = fakeService({ [users]: [stale, noUsers] });
  const beforeStepUp = vi.fn(async () => 'done' as const);
  const { audit } = createAuthClient({ fetch, beforeStepUp });
  expect(await audit.prepareExport()).toBe('/auth/admin/audit/export');
  expect(beforeStepUp).toHaveBeenCalledOnce();
  expect(routes()).toEqual([users, users]);
});
