import * as v from 'valibot';
import type { Account } from '../accounts/account.ts';
import { readAccount } from '../accounts/operations/get-account.ts';
import { listOwnSessions } from '../accounts/operations/list-sessions.ts';
import { bounds } from '../core/bounds.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { exactly, oneOf, text } from '../http/input.ts';
import { sessionEnded } from '../http/presented-session.ts';
import { time } from '../http/resource.ts';
import { readOwnOrganizations } from '../organizations/operations/memberships.ts';
import { logOut, revokeOtherSessions, revokeSession } from '../sessions/operations.ts';
import { issueServiceToken, type ServiceToken, type ServiceTokenRequest } from '../sessions/service-token.ts';
import { endpoints } from './endpoint.ts';
import { userOrganizationResource } from './organizations.ts';
import { fieldsOfOwnAccount } from './profiles.ts';
import { pendingRecoveryLinkResource } from './recovery.ts';
import { listedSessionResource, sessionResource, userResource } from './resources.ts';
import { idOf, type Serve } from './serve.ts';

const count = v.pipe(v.number(), v.integer());

export const accountResource = v.object({
  ...userResource.entries,
  hasPassword: v.boolean(),
  passkeyCount: count,
  recoveryCodesRemaining: v.pipe(
    count,
    v.description('The number of recovery codes that can still be used.'),
  ),
  ...fieldsOfOwnAccount,
}) satisfies v.GenericSchema<Account>;

const serviceToken = v.object({
  token: v.string(),
  expiresAt: time,
}) satisfies v.GenericSchema<ServiceToken>;

const serviceTokenRequest = exactly({
  audience: v.optional(
    v.pipe(
      text,
      v.description(
        'The service that the token is for, one of the configured audiences. Default: the first configured audience.',
      ),
    ),
  ),
}) satisfies v.GenericSchema<ServiceTokenRequest>;

export const sessionEndpoints = endpoints({
  getSession: {
    on: 'GET /session',
    // The recovery page shows which account the user recovers.
    access: 'any_session_or_none',
    cachedSession: true,
    budget: 'read',
    summary: 'Get the signed-in user and the session',
    description:
      'Without a session, the status is 401. With `?optional`, it is 200 instead, and `user` is null. If the request has a session token, but no live session has the token, `reason` is `session_ended` with both statuses. `DELETE /session` deletes the cookie of such a session. `recoveryLink` describes the recovery link that another user or an operator created for this account. Tell the user about the link, because an attacker could have asked for the link. The user can cancel the link with `DELETE /recovery/assisted`.',
    query: v.object({
      optional: v.optional(
        v.pipe(
          v.picklist(['', 'true'], 'expected ?optional or ?optional=true'),
          v.description('Whether the status is 200 without a session.'),
        ),
      ),
      include: v.optional(
        v.pipe(
          oneOf(['organizations']),
          v.description('Adds `organizations` to the response, for an organization switcher.'),
        ),
      ),
    }),
    answers: {
      200: v.union([
        v.object({
          user: accountResource,
          session: sessionResource,
          recoveryLink: v.pipe(
            v.nullable(pendingRecoveryLinkResource),
            v.description(
              'Null: the account has no recovery link. A used link is shown until its recovery session ends.',
            ),
          ),
          organizations: v.optional(
            v.pipe(
              v.array(userOrganizationResource),
              v.description(
                `Only with \`?include=organizations\`. The organizations that the user belongs to, sorted by name, at most ${bounds.organizations}. Empty in a recovery session.`,
              ),
            ),
          ),
        }),
        v.pipe(
          v.object({
            user: v.null(),
            reason: v.exactOptional(
              v.pipe(
                v.literal(sessionEnded),
                v.description('The request has a session token, but its session has ended.'),
              ),
            ),
          }),
          v.description('No session, with `?optional`.'),
        ),
      ]),
    },
    errors: ['not_authenticated'],
  },
  logOut: {
    on: 'DELETE /session',
    // Signing out must not fail for a caller who is already signed out.
    access: 'none',
    budget: 'write',
    summary: 'Sign out',
    description: 'Ends the current session. Succeeds even without a session.',
    answers: { 204: null },
  },
  issueServiceToken: {
    on: 'POST /session/token',
    access: 'full_session',
    // The token names the impersonator, and has the role `user`.
    whileImpersonating: 'allowed',
    budget: 'write',
    summary: 'Issue a JWT for another service',
    description:
      'The JWT is signed with Ed25519. Its header contains `alg: EdDSA`, `typ: JWT` and `kid`. The public keys are at ' +
      '`/.well-known/jwks.json`. The JWT has these claims: `iss` (the first configured origin), `aud` (the audience), ' +
      '`sub` (the user id), `sid` (the session id), `role` (the current role of the user, or `user` if requests that need a higher role would get `passkey_required`), `amr` (how the user last ' +
      'authenticated, RFC 8176), `auth_time` (when the user last authenticated), `iat`, `exp` (five minutes after `iat`) ' +
      'and `jti`. In an impersonated session, `act` names the impersonator (RFC 8693, section 4.1), and `amr` is empty. ' +
      'This API does not accept the JWT instead of the session cookie.',
    body: serviceTokenRequest,
    answers: { 201: serviceToken },
  },
  listSessions: {
    on: 'GET /sessions',
    access: 'full_session',
    budget: 'read',
    summary: 'List your sessions',
    description: 'Most recently used first. Lists only sessions that have not expired.',
    answers: { 200: v.object({ sessions: v.array(listedSessionResource) }) },
  },
  endOtherSessions: {
    on: 'DELETE /sessions',
    access: 'full_session',
    event: 'session.revoke_others',
    budget: 'write',
    summary: 'End all of your sessions except the current one',
    description: 'Returns how many sessions ended.',
    answers: { 200: v.object({ ended: v.pipe(v.number(), v.integer()) }) },
  },
  endSession: {
    on: 'DELETE /sessions/:id',
    access: 'full_session',
    event: 'session.revoke',
    target: 'session',
    budget: 'write',
    summary: 'End one of your sessions',
    description: 'Ending the current session signs the caller out.',
    answers: { 204: null },
    errors: ['not_found'],
  },
});

export function sessionRoutes(serve: Serve, runtime: Runtime): void {
  serve(sessionEndpoints.getSession, async (ctx, caller, { query, read }) => {
    const { optional, include } = query();
    if (!read) {
      if (optional === undefined) throw new AuthError('not_authenticated');
      ctx.body = { user: null, ...(caller.sessionToken !== null && { reason: sessionEnded }) };
      return;
    }
    const { user, session } = read;
    const { account, fields, recoveryLink } = await readAccount(runtime, user.id, 'not_authenticated');
    const own = runtime.fields.isEmpty ? {} : { fields: runtime.fields.readableBy('user', fields) };
    const organizations = include === 'organizations' ? await readOwnOrganizations(runtime, read) : undefined;
    ctx.body = { user: { ...account, ...own }, session, recoveryLink, organizations };
  });

  serve(sessionEndpoints.logOut, async (ctx, caller, { body }) => {
    await body();
    await logOut(runtime, caller);
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  serve(sessionEndpoints.issueServiceToken, async (ctx, actor, { body }) => {
    const request = await body();
    ctx.body = await issueServiceToken(runtime, actor, request);
    ctx.status = 201;
  });

  serve(sessionEndpoints.listSessions, async (ctx, actor) => {
    ctx.body = { sessions: await listOwnSessions(runtime, actor) };
  });

  serve(sessionEndpoints.endOtherSessions, async (ctx, actor, { body }) => {
    await body();
    ctx.body = { ended: await revokeOtherSessions(runtime, actor) };
  });

  serve(sessionEndpoints.endSession, async (ctx, actor, { body }) => {
    await body();
    await revokeSession(runtime, actor, idOf(ctx));
    if (idOf(ctx) === actor.session.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
