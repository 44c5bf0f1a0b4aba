import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { time } from '../http/resource.ts';
import { sessionResource } from './resource.ts';
import type { ServiceToken } from './service-token.ts';

const serviceToken = v.object({
  token: v.string(),
  expiresAt: time,
}) satisfies v.GenericSchema<ServiceToken>;

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
    summary: 'Get a JWT for the caller’s other services',
    description: 'HS256 under JWT_SECRET, for five minutes; nothing here accepts it.',
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
