// A page in TypeScript that uses the client. A test compiles the page without the types of Node.js and does not run it.
import {
  type AuthClient,
  AuthClientError,
  type AuthClientErrorCode,
  createAuthClient,
  passkeyObstacle,
  supportsPasskeyAutofill,
} from 'latchkey/client';

export const auth: AuthClient = createAuthClient({ baseUrl: '/auth', beforeStepUp: async () => 'done' });
// @ts-expect-error no such option
createAuthClient({ baseURL: '/auth' });

export async function signUp(username: string): Promise<string | AuthClientErrorCode> {
  const obstacle = passkeyObstacle();
  if (obstacle !== null || !(await supportsPasskeyAutofill())) return obstacle ?? 'no autofill';
  try {
    const { user, session, passkey } = await auth.signUp({ username, label: 'Key' });
    // @ts-expect-error no such member
    session.token;
    return user.displayName ?? passkey.label;
  } catch (error) {
    if (error instanceof AuthClientError) return error.code;
    throw error;
  }
}

export async function namesOf(signal: AbortSignal): Promise<string[]> {
  const { users, nextCursor } = await auth.users.list({ role: 'admin', limit: 10 }, { signal });
  const { events } = await auth.audit.list({ outcome: 'failure', cursor: nextCursor });
  // @ts-expect-error a promise
  const codes: string[] = auth.recovery.generateCodes();
  return [...users.map(({ username }) => username), ...events.map(({ event }) => event), ...codes];
}
