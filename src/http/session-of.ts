import type { Runtime } from '../core/runtime.ts';
import { readSession } from '../sessions/operations.ts';
import type { ReadSession } from '../sessions/session.ts';
import { sessionToken } from './cookies.ts';
import { receivedRequest, type SessionSource } from './request-source.ts';
import { isCrossOrigin } from './same-origin.ts';

export interface SessionOfOptions {
  /** Return a recovery session, too. Default: only full sessions. */
  allowRecovery?: boolean;
}

/** Implements `auth.sessionOf`. */
export async function sessionOf(
  runtime: Runtime,
  source: SessionSource,
  { allowRecovery = false }: SessionOfOptions = {},
): Promise<ReadSession | null> {
  const request = receivedRequest(source);
  if (isCrossOrigin(request, runtime)) return null;
  const read = await readSession(runtime, sessionToken(request.header('cookie'), runtime.config));
  return read?.session.kind === 'recovery' && !allowRecovery ? null : read;
}
