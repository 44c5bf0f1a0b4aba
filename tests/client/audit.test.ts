import { createAuthClient } from 'latchkey/client';
import { expect, test } from 'vitest';
import { fakeService, problem } from './fake-service.ts';

const event = { id: 'e1', event: 'user.disable', outcome: 'success' };
const filters = {
  event: 'user.',
  actor: 'u1',
  target: 'u2',
  organization: 'o1',
  outcome: 'failure',
  from: '2026-01-01T00:00:00+01:00',
  to: '2026-02-01T00:00:00.000Z',
} as const;

test('the client lists events with every filter', async () => {
  const service = fakeService({ 'GET /auth/admin/audit': { json: { events: [event], nextCursor: 'c2' } } });
  const { audit } = createAuthClient({ fetch: service.fetch });
  expect(await audit.list({ ...filters, limit: 10 })).toEqual({ events: [event], nextCursor: 'c2' });
  expect(Object.fromEntries(service.seen[0]?.query ?? [])).toEqual({ ...filters, limit: '10' });
});

test('the client reports a missing permission', async () => {
  const { fetch } = fakeService({ 'GET /auth/admin/audit': problem(403, 'forbidden') });
  await expect(createAuthClient({ fetch }).audit.list()).rejects.toMatchObject({ code: 'forbidden' });
});

test('the client returns the export URL with the same filters', () => {
  const { audit } = createAuthClient();
  expect(audit.exportUrl()).toBe('/auth/admin/audit/export');
  const url = new URL(audit.exportUrl(filters), 'https://example.org');
  expect(url.pathname).toBe('/auth/admin/audit/export');
  // A server reads an unescaped plus sign in a query as a space.
  expect(Object.fromEntries(url.searchParams)).toEqual(filters);
});

test('the client returns an export URL that starts with baseUrl', () => {
  const { audit } = createAuthClient({ baseUrl: 'https://example.org/accounts/' });
  expect(audit.exportUrl({ event: '' })).toBe('https://example.org/accounts/admin/audit/export');
});
