import { type AuthClient, createAuthClient } from 'latchkey/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from './fake-browser.ts';
import { fakeService, problem } from './fake-service.ts';
import { creationOptions, requestOptions } from './options.ts';

const stale = problem(403, 'reauthentication_required');
const removal = 'DELETE /auth/passkey/devices/p1';
const stepUp = {
  'POST /auth/passkey/stepup/start': { json: { options: requestOptions } },
  'POST /auth/passkey/stepup/verify': { json: { session: { id: 's1' } } },
};
const stepUpRoutes = Object.keys(stepUp);

beforeEach(() => {
  fakeBrowser();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the client steps up and repeats a call that requires fresh authentication', async () => {
  const service = fakeService({ ...stepUp, [removal]: [stale, { status: 204 }] });
  await createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
  expect(service.routes()).toEqual([removal, ...stepUpRoutes, removal]);
});

test('the client steps up and repeats a call that requires a passkey', async () => {
  const needsPasskey = problem(403, 'passkey_required');
  const service = fakeService({ ...stepUp, [removal]: [needsPasskey, { status: 204 }] });
  const beforeStepUp = vi.fn(async () => true);
  await createAuthClient({ fetch: service.fetch, beforeStepUp }).passkeys.remove('p1');
  expect(service.routes()).toEqual([removal, ...stepUpRoutes, removal]);
  expect(beforeStepUp.mock.calls).toEqual([['passkey_required']]);
});

test('the client tells beforeStepUp that the last authentication is too old', async () => {
  const service = fakeService({ ...stepUp, [removal]: [stale, { status: 204 }] });
  const beforeStepUp = vi.fn(async () => true);
  await createAuthClient({ fetch: service.fetch, beforeStepUp }).passkeys.remove('p1');
  expect(beforeStepUp.mock.calls).toEqual([['reauthentication_required']]);
});

test('the client adds a passkey after a step-up', async () => {
  const path = 'POST /auth/passkey/devices/add';
  const answers = [
    stale,
    { json: { options: creationOptions } },
    { status: 201, json: { device: { id: 'p2' } } },
  ];
  const service = fakeService({ ...stepUp, [path]: answers });
  const passkey = await createAuthClient({ fetch: service.fetch }).passkeys.add({ label: 'Phone' });
  expect(passkey).toEqual({ id: 'p2' });
  expect(service.routes()).toEqual([path, ...stepUpRoutes, path, path]);
  expect(service.seen.at(-1)?.body).toMatchObject({ label: 'Phone', credential: { id: 'AQID' } });
});

test('the client repeats a call only once', async () => {
  const service = fakeService({ ...stepUp, [removal]: stale });
  const removing = createAuthClient({ fetch: service.fetch }).passkeys.remove('p1');
  await expect(removing).rejects.toMatchObject({ code: 'reauthentication_required' });
  expect(service.routes()).toEqual([removal, ...stepUpRoutes, removal]);
});

test('the client calls beforeStepUp, and stops if beforeStepUp returns false', async () => {
  const service = fakeService({ ...stepUp, [removal]: stale });
  const beforeStepUp = vi.fn(async () => false);
  const removing = createAuthClient({ fetch: service.fetch, beforeStepUp }).passkeys.remove('p1');
  await expect(removing).rejects.toMatchObject({ code: 'ceremony_canceled' });
  expect(beforeStepUp).toHaveBeenCalledOnce();
  expect(service.routes()).toEqual([removal]);
});

test('the client calls beforeStepUp once for concurrent calls', async () => {
  const other = 'DELETE /auth/passkey/devices/p2';
  const answers = [stale, { status: 204 }];
  const service = fakeService({ ...stepUp, [removal]: answers, [other]: answers });
  const beforeStepUp = vi.fn(async () => true);
  const { passkeys } = createAuthClient({ fetch: service.fetch, beforeStepUp });
  await Promise.all([passkeys.remove('p1'), passkeys.remove('p2')]);
  expect(beforeStepUp).toHaveBeenCalledOnce();
  expect(service.routes()).toEqual([removal, other, ...stepUpRoutes, removal, other]);
});

test('the client calls beforeStepUp again for a later call', async () => {
  const service = fakeService({ ...stepUp, [removal]: [stale, { status: 204 }, stale, { status: 204 }] });
  const beforeStepUp = vi.fn(async () => true);
  const { passkeys } = createAuthClient({ fetch: service.fetch, beforeStepUp });
  await passkeys.remove('p1');
  await passkeys.remove('p1');
  expect(beforeStepUp).toHaveBeenCalledTimes(2);
});

test('the client steps up with a password in a browser without passkeys', async () => {
  vi.unstubAllGlobals();
  const service = fakeService({ 'POST /auth/password/stepup': { json: { session: { id: 's1' } } } });
  const auth = createAuthClient({ fetch: service.fetch });
  expect(await auth.stepUp({ password: 'correct horse' })).toEqual({ id: 's1' });
  expect(service.seen).toMatchObject([
    { route: 'POST /auth/password/stepup', body: { password: 'correct horse' } },
  ]);
});

test('the client does not ask for a passkey if the given password is empty', async () => {
  const service = fakeService({ 'POST /auth/password/stepup': problem(401, 'authentication_failed') });
  const steppingUp = createAuthClient({ fetch: service.fetch }).stepUp({ password: '' });
  await expect(steppingUp).rejects.toMatchObject({ code: 'authentication_failed' });
  expect(service.routes()).toEqual(['POST /auth/password/stepup']);
});

test('the client repeats the call without another step-up if beforeStepUp returns "done"', async () => {
  const password = 'POST /auth/password/stepup';
  const service = fakeService({
    [password]: [problem(401, 'authentication_failed'), { json: { session: { id: 's1' } } }],
    [removal]: [stale, { status: 204 }],
  });
  const auth = createAuthClient({
    fetch: service.fetch,
    beforeStepUp: async () => {
      // This step-up fails, as in a dialog that stays open after a wrong password.
      await expect(auth.stepUp({ password: 'wrong' })).rejects.toMatchObject({ status: 401 });
      await auth.stepUp({ password: 'right' });
      return 'done';
    },
  });
  await auth.passkeys.remove('p1');
  expect(service.routes()).toEqual([removal, password, password, removal]);
});

test('the client does not call beforeStepUp if a step-up itself fails', async () => {
  const service = fakeService({ 'POST /auth/password/stepup': stale });
  const beforeStepUp = vi.fn(async () => true);
  const steppingUp = createAuthClient({ fetch: service.fetch, beforeStepUp }).stepUp({ password: 'x' });
  await expect(steppingUp).rejects.toMatchObject({ code: 'reauthentication_required' });
  expect(beforeStepUp).not.toHaveBeenCalled();
});

test('a step-up for a user fails if another user signs in before it completes, and no call is repeated', async () => {
  const session = { json: { user: { id: 'bob' }, session: {}, recoveryLink: null } };
  const service = fakeService({ ...stepUp, 'GET /auth/session': session, [removal]: stale });
  const auth: AuthClient = createAuthClient({
    fetch: service.fetch,
    beforeStepUp: async () => (await auth.stepUp({ userId: 'ada' })) && 'done',
  });
  await expect(auth.passkeys.remove('p1')).rejects.toMatchObject({
    code: 'not_authenticated',
    reason: 'another_user',
  });
  expect(service.routes()).toEqual([removal, ...stepUpRoutes, 'GET /auth/session']);
  expect(await auth.stepUp({ userId: 'bob' })).toEqual({ id: 's1' });
});

test('a step-up for a user fails if no user is signed in anymore', async () => {
  const service = fakeService({ ...stepUp, 'GET /auth/session': { json: { user: null, session: null } } });
  const steppingUp = createAuthClient({ fetch: service.fetch }).stepUp({ userId: 'ada' });
  await expect(steppingUp).rejects.toMatchObject({ code: 'not_authenticated' });
});
