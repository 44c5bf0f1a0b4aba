import { createAuthClient } from 'latchkey/client';
import { fakeBrowser } from './fake-browser.ts';
import { type Answer, fakeService } from './fake-service.ts';
import { creationOptions, requestOptions } from './options.ts';

export const signedIn = { user: { id: 'u1' }, session: { id: 's1' } };
export const canceled = { name: 'AuthClientError', code: 'ceremony_canceled' };

export const loginStart = 'POST /auth/passkey/login/start';
export const adding = 'POST /auth/passkey/devices/add';
export const started: Answer = { json: { options: requestOptions } };
export const addStarted: Answer = { json: { options: creationOptions } };
export const added: Answer = { status: 201, json: { device: { id: 'p2' } } };

const routes = {
  'POST /auth/passkey/register/start': addStarted,
  'POST /auth/passkey/register/verify': { status: 201, json: { ...signedIn, passkey: { id: 'p1' } } },
  [loginStart]: started,
  'POST /auth/passkey/login/verify': { json: signedIn },
  'POST /auth/passkey/stepup/start': started,
  'POST /auth/passkey/stepup/verify': { json: { session: { id: 's1' } } },
  [adding]: [addStarted, added],
  // The client adds a passkey without a prompt only to an account that has none.
  'GET /auth/session': {
    json: { user: { id: 'u1', passkeyCount: 0 }, session: { id: 's1' }, recoveryLink: null },
  },
};

/** A fake browser in which the test answers the dialogs, and a client of a fake service. */
export function atTheBrowser(more: Record<string, Answer | Answer[]> = {}, able: object = {}) {
  const ceremonies = fakeBrowser({ answering: false, able });
  const service = fakeService({ ...routes, ...more });
  return { ceremonies, service, auth: createAuthClient({ fetch: service.fetch }) };
}
