import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { pendingRecoveryLinkResource } from '../recovery/resource.ts';
import { sessionResource } from '../sessions/resource.ts';
import { accountResource } from './resource.ts';

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
