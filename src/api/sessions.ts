import * as v from 'valibot';
import type { Account } from '../accounts/account.ts';
import { readAccount } from '../accounts/operations/get-account.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Session } from '../core/session.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly, text } from '../http/input.ts';
import { id, time } from '../http/resource.ts';
import {
  listSessions,
  logOut,
  readSession,
  revokeOtherSessions,
  revokeSession,
} from '../sessions/operations.ts';
import { issueServiceToken, type ServiceToken, type ServiceTokenRequest } from '../sessions/service-token.ts';
import { pendingRecoveryLinkResource } from './recovery.ts';
import type { Serve } from './serve.ts';
import { userResource } from './users.ts';

export const sessionResource = v.object({
  id,
  kind: v.pipe(
    v.picklist(['full', 'recovery']),
    v.description('A recovery session may only restore access to the account.'),
  ),
  current: v.pipe(v.boolean(), v.description('Whether it is the one that the request came with.')),
  createdAt: time,
  lastSeenAt: time,
  authenticatedAt: v.pipe(time, v.description('The last login, signup or step-up.')),
  method: v.picklist(['passkey', 'password', 'recovery_code', 'assisted_recovery']),
  expiresAt: v.pipe(time, v.description('The sooner of idle and absolute expiry.')),
  ip: v.nullable(v.string()),
  userAgent: v.nullable(v.string()),
}) satisfies v.GenericSchema<Session>;

const count = v.pipe(v.number(), v.integer());

export const accountResource = v.object({
  ...userResource.entries,
  hasPassword: v.boolean(),
  passkeyCount: count,
  recoveryCodesRemaining: count,
}) satisfies v.GenericSchema<Account>;

export const accountEndpoints = endpoints({
  readSession: {
    on: 'GET /session',
    // A recovery session shows whose account it recovers.
    access: 'any_session',
    fromMemory: true,
    budget: 'read',
    summary: 'Read who is signed in',
    description:
      'With `recoveryLink`, the recovery link that another user or an operator made for this account: show it, the user can cancel it (`DELETE /recovery/assisted`).',
    answers: {
      200: v.object({
        user: accountResource,
        session: sessionResource,
        recoveryLink: v.pipe(v.nullable(pendingRecoveryLinkResource), v.description('Null: there is none.')),
      }),
    },
  },
});

const serviceToken = v.object({
  token: v.string(),
  expiresAt: time,
}) satisfies v.GenericSchema<ServiceToken>;

const serviceTokenRequest = exactly({
  audience: v.optional(
    v.pipe(
      text,
      v.description('The service the token is for, one of the configured ones. Default: the first of them.'),
    ),
  ),
}) satisfies v.GenericSchema<ServiceTokenRequest>;

export const sessionEndpoints = endpoints({
  logOut: {
    on: 'DELETE /session',
    // Whoever asks to be logged out ends up logged out.
    access: 'anybody',
    budget: 'write',
    summary: 'Log out',
    description: 'Ends the session of this browser; without one, too.',
    answers: { 204: null },
  },
  issueServiceToken: {
    on: 'POST /session/token',
    access: 'signed_in',
    budget: 'write',
    summary: 'Issue a JWT for one of the user’s other services',
    description:
      'Signed with Ed25519 (`alg: EdDSA`, `typ: JWT`, `kid`). The public keys are at `/.well-known/jwks.json`. Claims: ' +
      '`iss` (the first origin), `aud` (the one service), `sub` (user id), `sid` (session id), `role`, `amr` (RFC 8176), ' +
      '`auth_time`, `iat`, `exp` (five minutes later) and `jti`. Role and status are read when the token is issued. ' +
      'No endpoint of this API accepts it.',
    body: serviceTokenRequest,
    answers: { 201: serviceToken },
  },
  listSessions: {
    on: 'GET /sessions',
    access: 'signed_in',
    budget: 'read',
    summary: 'List one’s live sessions',
    answers: { 200: v.object({ sessions: v.array(sessionResource) }) },
  },
  endOtherSessions: {
    on: 'DELETE /sessions',
    access: 'signed_in',
    budget: 'write',
    summary: 'End all of one’s sessions but this one',
    answers: { 200: v.object({ ended: v.pipe(v.number(), v.integer()) }) },
  },
  endSession: {
    on: 'DELETE /sessions/:id',
    access: 'signed_in',
    budget: 'write',
    summary: 'End one of one’s sessions',
    description: 'The current one: the same as to log out.',
    answers: { 204: null },
    errors: ['not_found'],
  },
});

export function accountRoutes(serve: Serve, runtime: Runtime): void {
  serve(accountEndpoints.readSession, async (ctx, { user, session }) => {
    const { account, recoveryLink } = await readAccount(runtime, user.id, 'not_authenticated');
    ctx.body = { user: account, session, recoveryLink };
  });
}

export function sessionRoutes(serve: Serve, runtime: Runtime): void {
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
    const { id = '' } = ctx.params as { id?: string };
    await revokeSession(runtime, actor, id);
    if (id === actor.session.id) clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
