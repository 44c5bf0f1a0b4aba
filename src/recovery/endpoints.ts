import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, text } from '../http/input.ts';
import { time } from '../http/resource.ts';
import { sessionResource } from '../sessions/resource.ts';
import { userResource } from '../users/resource.ts';
import type { RecoveryCodes, RecoveryCodesStatus } from './recovery.ts';

const count = v.pipe(v.number(), v.integer());

const codes = v.object({
  codes: v.pipe(v.array(v.string()), v.description('Shown this once.')),
  total: count,
  expiresAt: v.pipe(v.nullable(time), v.description('Null: they do not expire.')),
}) satisfies v.GenericSchema<RecoveryCodes>;

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
      'Opens a session of kind `recovery`. Case, spaces and hyphens of the code do not matter; whatever does not hold is one answer.',
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
    access: 'fresh_or_recovering',
    budget: 'recovery',
    summary: 'Make recovery codes',
    description: 'They take the place of all earlier ones, at once.',
    answers: { 201: codes },
  },
  revokeRecoveryCodes: {
    on: 'DELETE /recovery/codes/revoke',
    access: 'fresh',
    budget: 'recovery',
    summary: 'Make all recovery codes void',
    answers: { 204: null },
  },
  useRecoveryLink: {
    on: 'POST /recovery/assisted/use',
    access: 'anybody',
    budget: 'recovery',
    summary: 'Begin recovery with the token of a recovery link',
    description: 'Opens a session of kind `recovery`. The token serves once.',
    body: exactly({ token: text }),
    answers: { 200: recovering },
    errors: ['authentication_failed'],
  },
});
