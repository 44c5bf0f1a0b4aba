import type { Runtime } from '../core/runtime.ts';
import type { ReadSession } from '../core/session.ts';
import type { NoFields, UserFields } from '../core/user-fields.ts';
import { presentedSession } from '../http/presented-session.ts';
import { receivedRequest, type SessionSource } from '../http/request-source.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import { readOwnOrganizations } from '../organizations/operations/memberships.ts';
import type { UserOrganization } from '../organizations/organization.ts';
import { exposedSession } from '../sessions/exposed-session.ts';
import { readSession } from '../sessions/operations.ts';

/** The options of `auth.sessionOf`. */
export interface SessionOfOptions {
  /** Whether to return recovery sessions, too. Default: `false`. */
  allowRecovery?: boolean;
  /** `['organizations']`: also read the organizations of the user, sorted by name, for an organization switcher. */
  include?: readonly ['organizations'];
}

/** A session with the organizations of its user: the result of `auth.sessionOf` with `include`. */
export interface ReadSessionWithOrganizations<Fields extends UserFields = NoFields>
  extends ReadSession<Fields> {
  /** Sorted by name. At most 100. Empty in a recovery session. */
  organizations: UserOrganization[];
}

/** Implements `auth.sessionOf`. Without `include`, the result has no `organizations`, as the overloads in `types.ts` declare. */
export async function sessionOf(
  runtime: Runtime,
  source: SessionSource,
  { allowRecovery = false, include }: SessionOfOptions = {},
): Promise<ReadSessionWithOrganizations | null> {
  if (include !== undefined && !isInclude(include))
    throw new TypeError(`sessionOf: include: expected ['organizations']`);
  const request = receivedRequest(source, 'sessionOf');
  if (isCrossOrigin(request, runtime)) return null;
  const { token, isAmbiguous } = presentedSession(request, runtime.config);
  const read = await readSession(runtime, isAmbiguous ? null : token);
  if (!read || (read.session.kind === 'recovery' && !allowRecovery)) return null;
  const added = include && { organizations: await readOwnOrganizations(runtime, read) };
  return { ...exposedSession(runtime, read), ...added } as ReadSessionWithOrganizations;
}

const isInclude = (include: unknown): boolean =>
  Array.isArray(include) && include.length > 0 && include.every((name) => name === 'organizations');
