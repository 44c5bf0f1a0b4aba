import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, text } from '../http/input.ts';
import { time } from '../http/resource.ts';
import { sessionResource } from './resource.ts';
import type { ServiceToken, ServiceTokenRequest } from './service-token.ts';

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
