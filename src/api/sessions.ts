import * as v from 'valibot';
import type { Account } from '../accounts/account.ts';
import { readAccount } from '../accounts/operations/get-account.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { exactly, text } from '../http/input.ts';
import { time } from '../http/resource.ts';
import {
  listSessions,
  logOut,
  readSession,
  revokeOtherSessions,
  revokeSession,
} from '../sessions/operations.ts';
import { issueServiceToken, type ServiceToken, type ServiceTokenRequest } from '../sessions/service-token.ts';
import { endpoints } from './endpoint.ts';
import { pendingRecoveryLinkResource } from './recovery.ts';
import { sessionResource, userResource } from './resources.ts';
import { idOf, type Serve } from './serve.ts';

const count = v.pipe(v.number(), v.integer());

export const accountResource = v.object({
  ...userResource.entries,
  hasPassword: v.boolean(),
  passkeyCount: count,
  recoveryCodesRemaining: count,
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
        'The service that the token is for: one of the configured audiences. Default: the first.',
      ),
    ),
  ),
}) satisfies v.GenericSchema<ServiceTokenRequest>;

export const sessionEndpoints = endpoints({
  getSession: {
    on: 'GET /session',
    // The recovery page shows the account of a recovery session.
    access: 'any_session',
    cachedSession: true,
    budget: 'read',
    summary: 'Get the signed-in user and the session',
    description:
      '`recoveryLink` is a recovery link that another user or an operator created for this account. Show it, so that the user can cancel it with `DELETE /recovery/assisted`.',
    answers: {
      200: v.object({
        user: accountResource,
        session: sessionResource,
        recoveryLink: v.pipe(
          v.nullable(pendingRecoveryLinkResource),
          v.description('Null: the account has no recovery link.'),
        ),
      }),
    },
  },
  logOut: {
    on: 'DELETE /session',
    // A caller without a session is already signed out.
    access: 'none',
    budget: 'write',
    summary: 'Sign out',
    description: 'Ends the current session. Also succeeds without a session.',
    answers: { 204: null },
  },
  issueServiceToken: {
    on: 'POST /session/token',
    access: 'full_session',
    budget: 'write',
    summary: 'Issue a JWT for another service',
    description:
      'Signed with Ed25519 (`alg: EdDSA`, `typ: JWT`, `kid`). The public keys are at `/.well-known/jwks.json`. Claims: ' +
      '`iss` (the first origin), `aud` (the audience), `sub` (user id), `sid` (session id), `role`, `amr` (RFC 8176), ' +
      '`auth_time`, `iat`, `exp` (five minutes later) and `jti`. The role and status of the user are read when the token ' +
      'is issued. This API does not accept these tokens.',
    body: serviceTokenRequest,
    answers: { 201: serviceToken },
  },
  listSessions: {
    on: 'GET /sessions',
    access: 'full_session',
    budget: 'read',
    summary: 'List your live sessions',
    answers: { 200: v.object({ sessions: v.array(sessionResource) }) },
  },
  endOtherSessions: {
    on: 'DELETE /sessions',
    access: 'full_session',
    event: 'session.revoke_others',
    budget: 'write',
    summary: 'End all of your sessions except this one',
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
  serve(sessionEndpoints.getSession, async (ctx, { user, session }) => {
    const { account, recoveryLink } = await readAccount(runtime, user.id, 'not_authenticated');
    ctx.body = { user: account, session, recoveryLink };
  });

  serve(sessionEndpoints.logOut, async (ctx, caller, { body }) => {
    await body();
    const read = await readSession(runtime, caller.sessionToken);
    if (read) await logOut(runtime, { ...caller, ...read });
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });

  serve(sessionEndpoints.issueServiceToken, async (ctx, actor, { body }) => {
    const request = await body();
    ctx.body = await issueServiceToken(runtime, actor, request);
    ctx.status = 201;
  });

  serve(sessionEndpoints.listSessions, async (ctx, actor) => {
    ctx.body = { sessions: await listSessions(runtime, actor) };
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
