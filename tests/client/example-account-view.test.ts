import type { CurrentSession } from 'latchkey/client';
import { expect, test } from 'vitest';
import {
  type AccountState,
  type AccountView,
  firstView,
  left,
  viewAfter,
} from '../../examples/server/web/account-view.ts';

const signedIn = (username: string, session: object = {}): AccountState => ({
  status: 'signed-in',
  ...({
    user: { id: `id of ${username}`, username },
    session: { kind: 'full', impersonator: null, ...session },
  } as unknown as CurrentSession),
});
const viewOf = (state: AccountState): AccountView => ({ ...firstView, state });
const signedOut: AccountState = { status: 'signed-out' };

const ada = viewOf(signedIn('ada'));

test('a page without typed text closes when the session ends, and the sign-in page gets the username', () => {
  expect(viewAfter(ada, signedOut, false)).toEqual(viewOf({ status: 'signed-out', endedFor: 'ada' }));
});

test('a page with typed text stays when the session ends, until the user signs in again or leaves', () => {
  const ended = viewAfter(ada, signedOut, true);
  expect(ended).toEqual({ ...ada, hasEnded: true });
  expect(viewAfter(ended, signedOut, false)).toEqual(ended);
  expect(viewAfter(ended, signedIn('ada'), true)).toEqual(ada);
  expect(left(ended)).toEqual(viewOf({ status: 'signed-out', endedFor: 'ada' }));
});

test('a page that waits for a user renders again when another user signs in', () => {
  const ended = viewAfter(ada, signedOut, true);
  const bob = viewAfter(ended, signedIn('bob'), true);
  expect(bob).toEqual({ ...viewOf(signedIn('bob')), userGeneration: 1 });
});

test('a page renders again when another user or an impersonator takes over in another tab', () => {
  expect(viewAfter(ada, signedIn('bob'), false).userGeneration).toBe(1);
  const impersonated = signedIn('ada', { impersonator: { type: 'user', id: 'id of root' } });
  expect(viewAfter(ada, impersonated, false).userGeneration).toBe(1);
  expect(viewAfter(viewOf(impersonated), impersonated, false).userGeneration).toBe(0);
  expect(viewAfter(ada, signedIn('ada'), false)).toEqual(ada);
});

test('the end of a recovery or of an impersonation does not ask the user to sign in again', () => {
  for (const session of [{ kind: 'recovery' }, { impersonator: { username: 'root' } }])
    expect(viewAfter(viewOf(signedIn('ada', session)), signedOut, true)).toEqual(viewOf(signedOut));
});

test('the sign-in page keeps the username of the ended session when it reads the session again', () => {
  const gone = viewAfter(ada, signedOut, false);
  expect(viewAfter(gone, signedOut, false)).toEqual(gone);
  expect(viewAfter(gone, signedIn('bob'), false)).toEqual(viewOf(signedIn('bob')));
});

test('a signed-in user stays on the page if the session cannot be read', () => {
  expect(viewAfter(ada, { status: 'failed', error: null }, false)).toEqual(ada);
  expect(viewAfter(firstView, { status: 'failed', error: null }, false).state.status).toBe('failed');
});
