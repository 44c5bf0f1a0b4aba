import type { Runtime } from '../core/runtime.ts';
import type { ReadSession } from '../core/session.ts';
import { presentedSession } from '../http/presented-session.ts';
import { receivedRequest, type SessionSource } from '../http/request-source.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { exposedSession } from '../sessions/exposed-session.ts';
import { readSession } from '../sessions/operations.ts';

/** The options of `auth.sessionOf`. */
export interface SessionOfOptions {
  /** Whether to return recovery sessions, too. Default: `false`. */
  allowRecovery?: boolean;
}

/** Implements `auth.sessionOf`. */
export async function sessionOf(
  runtime: Runtime,
  source: SessionSource,
  { allowRecovery = false }: SessionOfOptions = {},
): Promise<ReadSession | null> {
  const request = receivedRequest(source, 'sessionOf');
  if (isCrossOrigin(request, runtime)) return null;
  const { token, isAmbiguous } = presentedSession(request, runtime.config);
  const read = await readSession(runtime, isAmbiguous ? null : token);
  if (!read || (read.session.kind === 'recovery' && !allowRecovery)) return null;
  return exposedSession(runtime, read);
}
