import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, text } from '../http/input.ts';
import { time } from '../http/resource.ts';
import { sessionResource } from '../sessions/resource.ts';
import { userResource } from '../users/resource.ts';
import type { RecoveryCodesStatus } from './recovery.ts';
import { recoveryCodesResource } from './resource.ts';

const count = v.pipe(v.number(), v.integer());

const codesStatus = v.object({
  total: count,
  remaining: count,
  generatedAt: v.nullable(time),
  expiresAt: v.nullable(time),
}) satisfies v.GenericSchema<RecoveryCodesStatus>;

const recovering = v.object({ user: userResource, session: sessionResource });

export const recoveryEndpoints = endpoints({
  useRecoveryCode: {
    on: 'POST /recovery/codes/use',
    access: 'anybody',
    budget: 'recovery',
    summary: 'Begin recovery with a recovery code',
    description:
      'Opens a session of kind `recovery`. Case, spaces and hyphens of the code do not matter. Every failure has the same answer.',
    body: exactly({ username: text, code: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed'],
  },
  readRecoveryCodes: {
    on: 'GET /recovery/codes',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read how many recovery codes are left',
    answers: { 200: codesStatus },
  },
  generateRecoveryCodes: {
    on: 'POST /recovery/codes/generate',
    access: 'fresh',
    budget: 'recovery',
    summary: 'Make recovery codes',
    description: 'The new codes replace all earlier ones. Completing a recovery makes new codes by itself.',
    answers: { 201: recoveryCodesResource },
  },
  revokeRecoveryCodes: {
    on: 'DELETE /recovery/codes/revoke',
    access: 'fresh',
    budget: 'recovery',
    summary: 'Revoke all recovery codes',
    answers: { 204: null },
  },
  useRecoveryLink: {
    on: 'POST /recovery/assisted/use',
    access: 'anybody',
    budget: 'recovery',
    summary: 'Begin recovery with the token of a recovery link',
    description:
      'Opens a session of kind `recovery`. The token can be used once. If the link cannot be used yet, `Retry-After` says when.',
    body: exactly({ token: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed', 'recovery_link_waiting'],
  },
  cancelRecoveryLink: {
    on: 'DELETE /recovery/assisted',
    access: 'fresh',
    budget: 'recovery',
    summary: 'Cancel the recovery link of one’s own account',
    description:
      'The link is void, and any recovery that it opened ends. `GET /session` shows whether there is a link.',
    answers: { 204: null },
    errors: ['not_found'],
  },
});
