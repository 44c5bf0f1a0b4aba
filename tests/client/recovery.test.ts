import { createAuthClient } from 'latchkey/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untilPasses } from '../support/eventually.ts';
import { fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService, problem } from './fake-service.ts';
import { creationOptions } from './options.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const recovering = { json: { user: { id: 'u1' }, session: { id: 's1', kind: 'recovery' } } };

test('the client returns the number of remaining recovery codes', async () => {
  const some = { total: 10, remaining: 9, generatedAt: '2026-01-02T03:04:05Z', expiresAt: null };
  const none = { total: 0, remaining: 0, generatedAt: null, expiresAt: null };
  const { fetch } = fakeService({ 'GET /auth/recovery/codes': [{ json: some }, { json: none }] });
  const { recovery } = createAuthClient({ fetch });
  expect(await recovery.codes()).toEqual(some);
  expect(await recovery.codes()).toEqual(none);
});

test('the client creates recovery codes and returns them', async () => {
  const made = { codes: ['7G3M-X9QH-FV2W-C8PJ-R46X-3HQ9-WG5C'], total: 1, expiresAt: null };
  const { fetch } = fakeService({ 'POST /auth/recovery/codes/generate': { status: 201, json: made } });
  expect(await createAuthClient({ fetch }).recovery.generateCodes()).toEqual(made);
});

test('the client reports an invalid response if the response contains no recovery codes', async () => {
  const { fetch } = fakeService({
    'POST /auth/recovery/codes/generate': { status: 201, json: { total: 1, expiresAt: null } },
  });
  const making = createAuthClient({ fetch }).recovery.generateCodes();
  await expect(making).rejects.toMatchObject({ code: 'invalid_response' });
});

test('the client revokes the recovery codes', async () => {
  const { fetch } = fakeService({ 'DELETE /auth/recovery/codes/revoke': { status: 204 } });
  await expect(createAuthClient({ fetch }).recovery.revokeCodes()).resolves.toBeUndefined();
});

test('the client sends a recovery code unchanged', async () => {
  const service = fakeService({ 'POST /auth/recovery/codes/use': recovering });
  const { recovery } = createAuthClient({ fetch: service.fetch });
  const signedIn = await recovery.useCode({ username: 'ada', code: ' 7g3mx 9qhfv' });
  expect(signedIn.session.kind).toBe('recovery');
  expect(service.seen[0]?.body).toEqual({ username: 'ada', code: ' 7g3mx 9qhfv' });
});

test('the client sends the token of a recovery link only in the body', async () => {
  const service = fakeService({ 'POST /auth/recovery/assisted/use': recovering });
  const signedIn = await createAuthClient({ fetch: service.fetch }).recovery.useLink('t0ken');
  expect(signedIn.session.kind).toBe('recovery');
  expect(service.seen[0]?.body).toEqual({ token: 't0ken' });
  expect(service.seen[0]?.query.size).toBe(0);
});

test('the client reports that a recovery code or recovery link is invalid, and gives no reason', async () => {
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

describe('completing a recovery', () => {
  const recoveryCodes = { codes: ['7G3M-X9QH-FV2W-C8PJ-R46X-3HQ9-WG5C'], total: 1, expiresAt: null };
  const adding = (finish: Answer) =>
    fakeService({ 'POST /auth/passkey/devices/add': [{ json: { options: creationOptions } }, finish] });
  const completed = { status: 201, json: { device: { id: 'p2' }, recoveryCodes } };

  test('adds a passkey, keeps no other sign-in method by default, and returns the new recovery codes', async () => {
    fakeBrowser();
    const service = adding(completed);
    const { recovery } = createAuthClient({ fetch: service.fetch });
    expect(await recovery.complete()).toEqual({ passkey: { id: 'p2' }, recoveryCodes });
    const [start, finish] = service.seen;
    expect(start?.body).toEqual({ keepPasskeys: [] });
    expect(finish?.body).toEqual({ credential: expect.any(Object), keepPasskeys: [], keepPassword: false });
  });

  test('sends the sign-in methods to keep and the label of the passkey', async () => {
    fakeBrowser();
    const service = adding(completed);
    const { recovery } = createAuthClient({ fetch: service.fetch });
    await recovery.complete({ keepPasskeys: ['p1'], keepPassword: true, label: 'New phone' });
    const [start, finish] = service.seen;
    expect(start?.body).toEqual({ keepPasskeys: ['p1'] });
    expect(finish?.body).toMatchObject({ keepPasskeys: ['p1'], keepPassword: true, label: 'New phone' });
  });

  test('informs the browser about the accepted passkeys', async () => {
    fakeBrowser({ able: { signalAllAcceptedCredentials: async () => {} } });
    const service = adding(completed);
    await createAuthClient({ fetch: service.fetch }).recovery.complete();
    await untilPasses(() => expect(service.routes()).toContain('GET /auth/passkey/signals'));
  });

  test.each<[status: number, code: string]>([
    [400, 'invalid_request'],
    [401, 'not_authenticated'],
    [401, 'authentication_failed'],
  ])('reports the status %i and the code %s', async (status, code) => {
    fakeBrowser();
    const { fetch } = adding(problem(status, code));
    const completing = createAuthClient({ fetch }).recovery.complete();
    await expect(completing).rejects.toMatchObject({ status, code });
  });

  test('reports an invalid response if the response contains no recovery codes', async () => {
    fakeBrowser();
    const { fetch } = adding({ status: 201, json: { device: { id: 'p2' } } });
    const completing = createAuthClient({ fetch }).recovery.complete();
    await expect(completing).rejects.toMatchObject({ code: 'invalid_response' });
  });
});

test('the client reads and cancels the recovery link for the account', async () => {
  const recoveryLink = {
    createdBy: { id: 'u2', username: 'bob' },
    createdAt: '2026-01-02T03:04:05Z',
    usableAt: '2026-01-03T03:04:05Z',
    expiresAt: '2026-01-03T04:04:05Z',
    usedAt: null,
  };
  const { fetch } = fakeService({
    'GET /auth/session': { json: { user: { id: 'u1' }, session: { id: 's1' }, recoveryLink } },
    'DELETE /auth/recovery/assisted': [{ status: 204 }, problem(404, 'not_found')],
  });
  const auth = createAuthClient({ fetch });
  expect((await auth.session())?.recoveryLink).toEqual(recoveryLink);
  await expect(auth.recovery.cancelLink()).resolves.toBeUndefined();
  await expect(auth.recovery.cancelLink()).rejects.toMatchObject({ code: 'not_found' });
});

test('the client asks `beforeStepUp` before it cancels a recovery link if the authentication is not fresh', async () => {
  const beforeStepUp = vi.fn(async () => false);
  const { fetch } = fakeService({
    'DELETE /auth/recovery/assisted': problem(403, 'reauthentication_required'),
  });
  await expect(createAuthClient({ fetch, beforeStepUp }).recovery.cancelLink()).rejects.toMatchObject({
    code: expect.any(String),
  });
  expect(beforeStepUp).toHaveBeenCalledOnce();
});

test('the client reports in how many seconds a recovery link starts to work', async () => {
  const waiting = problem(409, 'recovery_link_waiting');
  const { fetch } = fakeService({
    'POST /auth/recovery/assisted/use': {
      ...waiting,
      headers: { ...waiting.headers, 'Retry-After': '3600' },
    },
  });
  await expect(createAuthClient({ fetch }).recovery.useLink('x')).rejects.toMatchObject({
    code: 'recovery_link_waiting',
    retryAfterSeconds: 3600,
  });
});

test('the client reports that a call is not allowed in a recovery session, and does not step up', async () => {
  const beforeStepUp = vi.fn(async () => true);
  const { fetch } = fakeService({ 'GET /auth/sessions': problem(403, 'recovery_session') });
  const listing = createAuthClient({ fetch, beforeStepUp }).sessions.list();
  await expect(listing).rejects.toMatchObject({ code: 'recovery_session' });
  expect(beforeStepUp).not.toHaveBeenCalled();
});
