import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { sessionResource } from '../sessions/resource.ts';
import { accountResource } from './resource.ts';

export const accountEndpoints = endpoints({
  readSession: {
    on: 'GET /session',
    // A person who is recovering is shown whose account it is.
    access: 'any_session',
    fromMemory: true,
    budget: 'read',
    summary: 'Read who is signed in',
    answers: { 200: v.object({ user: accountResource, session: sessionResource }) },
  },
});
