import { assertCapability, assertRole } from '../authorization/access.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { ReadSession } from '../core/session.ts';
import type { Role } from '../core/user.ts';
import type { NoFields, UserFields } from '../core/user-fields.ts';
import { notSignedIn, presentedToken } from '../http/presented-session.ts';
import { type ReceivedRequest, receivedRequest, type SessionSource } from '../http/request-source.ts';
import { isCrossOrigin } from '../http/same-origin.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { Resource } from '../roles/principal.ts';
import { exposedSession } from '../sessions/exposed-session.ts';
import { checkSession, readSession } from '../sessions/operations.ts';
import { obstacleToFresh, obstacleToFull, obstacleToOwn, requireNo } from '../sessions/rules.ts';
import { checkRequirement, checkResource } from './access-requirement.ts';

/**
 * What `auth.requireAccess` requires in addition to a full session. The request must meet every given requirement. An
 * unknown or undefined property is a TypeError, so that a typo never removes a requirement.
 *
 * @typeParam Extra the names of the application's capabilities
 * @typeParam Fields the own fields of users (`userFields`)
 */
export interface AccessRequirement<Extra extends string = never, Fields extends UserFields = NoFields> {
  /** The lowest role that the user can have. As in `requireRole`. */
  role?: Role;
  /** A capability of the service or of the application. As in `requirePermission`. */
  capability?: Capability | NoInfer<Extra>;
  /**
   * The resource that the capability is for, or a function that finds it. Null: the resource does not exist. The
   * service calls the function only if the user has a full session and the role. Without `resource`, only the role of
   * the user decides. Required if the capability depends on the resource for every role. As in `requirePermission`, the
   * resource must have the id that the capability needs, and null for an owner or an organization that it does not have.
   */
  resource?: Resource | null | ResourceFinder<Fields>['find'];
  /** Whether fresh authentication is required. As in `requireFresh`. */
  fresh?: boolean;
  /**
   * Whether impersonated sessions are admitted (see the option `impersonation`). With `false`, an impersonator gets
   * `impersonating`. Default: `true`.
   */
  impersonated?: boolean;
  /** The method of the request. Only if `source` is headers, which do not contain it. */
  method?: string;
}

interface ResourceFinder<Fields extends UserFields> {
  // A method, because a service with own fields must be assignable to a service without own fields.
  find(read: ReadSession<Fields>): Resource | null | Promise<Resource | null>;
}

/** A request without a known method is checked like a mutation, because it can be one. */
const unknownMethod = 'REQUEST';

/** Implements `auth.requireAccess`. */
export async function requireAccess(
  runtime: Runtime,
  source: SessionSource,
  given: AccessRequirement<string> | undefined,
): Promise<ReadSession> {
  const requirement: AccessRequirement<string> = checkRequirement(given, runtime.grants);
  const { role, capability, resource = {}, fresh = false, impersonated = true } = requirement;
  const request = withMethod(receivedRequest(source, 'requireAccess'), requirement.method);
  if (isCrossOrigin(request, runtime)) throw new AuthError('cross_origin_request');
  // As in the guards, only a check that needs no authority can use the cache.
  const isPlain = role === undefined && capability === undefined && !fresh;
  const readFor = isPlain ? checkSession : readSession;
  const read = await readFor(runtime, presentedToken(request, runtime.config));
  if (!read) throw notSignedIn(request, runtime.config);
  requireNo(obstacleToFull(read) ?? (impersonated ? null : obstacleToOwn(read)));
  if (role !== undefined) assertRole(read, role);
  if (capability !== undefined) {
    const found = typeof resource === 'function' ? await resource(exposedSession(runtime, read)) : resource;
    checkResource(capability, found, runtime.grants);
    if (found == null) throw new AuthError('not_found');
    await assertCapability(runtime, read, capability, found);
  }
  if (fresh) requireNo(obstacleToFresh(read));
  return exposedSession(runtime, read);
}

function withMethod(request: ReceivedRequest, given: string | undefined): ReceivedRequest {
  if (request.method !== null && given !== undefined)
    throw new TypeError(
      'requireAccess: method: expected only with headers, because the request already has a method',
    );
  return { ...request, method: request.method ?? given?.toUpperCase() ?? unknownMethod };
}
