import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, text } from '../http/input.ts';
import { sessionResource } from '../sessions/resource.ts';
import { userResource } from '../users/resource.ts';

const user = v.object({ user: userResource });

export const passwordEndpoints = endpoints({
  logInWithPassword: {
    on: 'POST /password/login',
    access: 'anybody',
    budget: 'password',
    summary: 'Sign in with a password',
    description: 'Unknown user, no password, wrong password, disabled user: one answer, in one time.',
    body: exactly({ username: text, password: text }),
    answers: { 200: v.object({ user: userResource, session: sessionResource }) },
    errors: ['authentication_failed'],
  },
  stepUpWithPassword: {
    on: 'POST /password/stepup',
    access: 'signed_in',
    budget: 'password',
    summary: 'Prove presence again, with the password',
    body: exactly({ password: text }),
    answers: { 200: v.object({ session: sessionResource }) },
    errors: ['authentication_failed'],
  },
  setPassword: {
    on: 'POST /password/add',
    access: 'fresh',
    budget: 'password',
    summary: 'Give the account a password',
    description:
      'From 8 characters to 72 bytes of UTF-8. 201 where there was none, 200 where it takes the place of one. ' +
      '`password_unacceptable` says why in `reason`: too_short, too_long, malformed, common, breached.',
    body: exactly({ password: text }),
    answers: { 200: user, 201: user },
    errors: ['password_unacceptable'],
  },
  removePassword: {
    on: 'DELETE /password/remove',
    access: 'fresh',
    budget: 'write',
    summary: 'Take the password away',
    answers: { 204: null },
    errors: ['not_found', 'last_credential'],
  },
});
