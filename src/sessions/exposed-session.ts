import type { Runtime } from '../core/runtime.ts';
import type { CheckedSession, ReadSession } from '../core/session.ts';

/** Returns a session as the application's code gets it: with the own fields in `user.fields`, if there are any. */
export function exposedSession(
  { fields }: Pick<Runtime, 'fields'>,
  { fields: stored, ...read }: CheckedSession,
): ReadSession {
  const user = { ...read.user, fields: fields.exposed(stored) };
  return fields.isEmpty ? read : { ...read, user };
}
