import type { Runtime } from '../core/runtime.ts';
import type { CheckedSession, ReadSession } from '../core/session.ts';

/** Returns a session as the application's code gets it: with the own fields in `user.fields`, if there are any. */
export function exposedSession(runtime: Pick<Runtime, 'fields'>, read: CheckedSession): ReadSession {
  const { fields: _, ...exposed } = read;
  return { ...exposed, user: exposedUser(runtime, read) };
}

/** Returns the user of a session as the application's code gets it. */
export function exposedUser({ fields }: Pick<Runtime, 'fields'>, read: CheckedSession): ReadSession['user'] {
  if (fields.isEmpty) return read.user;
  const user = { ...read.user, fields: fields.exposed(read.fields) };
  return user;
}
