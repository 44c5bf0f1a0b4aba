import { createAuthClient } from 'latchkey/client';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from './fake-browser.ts';
import { fakeService, problem } from './fake-service.ts';
import { creationOptions } from './options.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const recovering = { json: { user: { id: 'u1' }, session: { id: 's1', kind: 'recovery' } } };

test('tells how many codes are left, also where there are none', async () => {
  const some = { total: 10, remaining: 9, generatedAt: '2026-01-02T03:04:05Z', expiresAt: null };
  const none = { total: 0, remaining: 0, generatedAt: null, expiresAt: null };
  const { fetch } = fakeService({ 'GET /auth/recovery/codes': [{ json: some }, { json: none }] });
  const { recovery } = createAuthClient({ fetch });
  expect(await recovery.codes()).toEqual(some);
  expect(await recovery.codes()).toEqual(none);
});

test('makes new codes and gives them as they were shown', async () => {
  const made = { codes: ['7G3MX-9QHFV-2WC8P-JR46X'], total: 1, expiresAt: null };
  const { fetch } = fakeService({ 'POST /auth/recovery/codes/generate': { status: 201, json: made } });
  expect(await createAuthClient({ fetch }).recovery.generateCodes()).toEqual(made);
});

test('calls an answer without codes an invalid response', async () => {
  const { fetch } = fakeService({
    'POST /auth/recovery/codes/generate': { status: 201, json: { total: 1, expiresAt: null } },
  });
  const making = createAuthClient({ fetch }).recovery.generateCodes();
  await expect(making).rejects.toMatchObject({ code: 'invalid_response' });
});

test('revokes the codes', async () => {
  const { fetch } = fakeService({ 'DELETE /auth/recovery/codes/revoke': { status: 204 } });
  await expect(createAuthClient({ fetch }).recovery.revokeCodes()).resolves.toBeUndefined();
});

test('uses a code as it was typed: the service knows how to read it', async () => {
  const service = fakeService({ 'POST /auth/recovery/codes/use': recovering });
  const { recovery } = createAuthClient({ fetch: service.fetch });
  const signedIn = await recovery.useCode({ username: 'ada', code: ' 7g3mx 9qhfv' });
  expect(signedIn.session.kind).toBe('recovery');
  expect(service.seen[0]?.body).toEqual({ username: 'ada', code: ' 7g3mx 9qhfv' });
});

test('uses a link by the token that is in it, in the body and nowhere else', async () => {
  const service = fakeService({ 'POST /auth/recovery/assisted/use': recovering });
  const signedIn = await createAuthClient({ fetch: service.fetch }).recovery.useLink('t0ken');
  expect(signedIn.session.kind).toBe('recovery');
  expect(service.seen[0]?.body).toEqual({ token: 't0ken' });
  expect(service.seen[0]?.query.size).toBe(0);
});

test('passes on that a code or a link did not work, and nothing more', async () => {
  const refused = problem(401, 'authentication_failed');
  const { fetch } = fakeService({
    'POST /auth/recovery/codes/use': refused,
    'POST /auth/recovery/assisted/use': refused,
  });
  const { recovery } = createAuthClient({ fetch });
  const failure = { code: 'authentication_failed', status: 401, reason: undefined };
  await expect(recovery.useCode({ username: 'ada', code: 'x' })).rejects.toMatchObject(failure);
  await expect(recovery.useLink('x')).rejects.toMatchObject(failure);
});

test('completes a recovery with a new passkey', async () => {
  fakeBrowser();
  const service = fakeService({
    'POST /auth/recovery/codes/use': recovering,
    'POST /auth/passkey/devices/add': [
      { json: { options: creationOptions } },
      { status: 201, json: { device: { id: 'p2' } } },
    ],
  });
  const auth = createAuthClient({ fetch: service.fetch });
  await auth.recovery.useCode({ username: 'ada', code: 'x' });
  expect(await auth.passkeys.add()).toEqual({ id: 'p2' });
});

test('passes on that a recovery session may not do something, without asking for anything', async () => {
  const beforeStepUp = vi.fn(async () => true);
  const { fetch } = fakeService({ 'GET /auth/sessions': problem(403, 'recovery_session') });
  const listing = createAuthClient({ fetch, beforeStepUp }).sessions.list();
  await expect(listing).rejects.toMatchObject({ code: 'recovery_session' });
  expect(beforeStepUp).not.toHaveBeenCalled();
});
