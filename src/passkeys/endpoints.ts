import * as v from 'valibot';
import { endpoints } from '../http/contract.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { sessionResource } from '../sessions/resource.ts';
import { userResource } from '../users/resource.ts';
import { authenticationResponse, registrationResponse } from './input.ts';
import type { PasskeySignals } from './operations/signals.ts';
import { creationOptionsResource, passkeyResource, requestOptionsResource } from './resource.ts';

const creationOptions = v.object({ options: creationOptionsResource });
const requestOptions = v.object({ options: requestOptionsResource });
const device = v.object({ device: passkeyResource });
const signals = v.object({
  rpId: v.string(),
  userId: v.pipe(v.string(), v.description('The user handle, base64url.')),
  name: v.string(),
  displayName: v.string(),
  allAcceptedCredentialIds: v.array(v.string()),
}) satisfies v.GenericSchema<PasskeySignals>;

/** One route for both halves of adding: without a credential it starts, with one it finishes. */
const addition = v.pipe(
  exactly({
    credential: v.optional(registrationResponse),
    label: v.optional(shortText),
    conditional: v.optional(v.literal(true, 'expected true')),
  }),
  v.forward(
    v.check(
      ({ credential, conditional }) => !(credential && conditional),
      'not together with a credential: how it was begun, the challenge says',
    ),
    ['conditional'],
  ),
);

const assertion = exactly({ credential: authenticationResponse });

export const ceremonyEndpoints = endpoints({
  startSignUp: {
    on: 'POST /passkey/register/start',
    access: 'anybody',
    budget: 'ceremony',
    summary: 'Start to sign up with a passkey',
    description: 'Reserves nothing, writes nothing.',
    body: exactly({ username: text, displayName: v.optional(shortText) }),
    answers: { 200: creationOptions },
    errors: ['username_unacceptable', 'username_taken'],
  },
  finishSignUp: {
    on: 'POST /passkey/register/verify',
    access: 'anybody',
    budget: 'ceremony',
    summary: 'Finish signing up',
    description:
      'Account, passkey and session in one step. The challenge is spent whether it succeeds or not.',
    body: exactly({ credential: registrationResponse, label: v.optional(shortText) }),
    answers: { 201: v.object({ user: userResource, passkey: passkeyResource, session: sessionResource }) },
    errors: ['registration_failed', 'username_unacceptable', 'username_taken', 'passkey_already_registered'],
  },
  startLogin: {
    on: 'POST /passkey/login/start',
    access: 'anybody',
    budget: 'ceremony',
    summary: 'Start to sign in with a passkey',
    description:
      'Without a username: for any passkey of this site, as autofill wants it. With one: for its passkeys; an unknown one gets plausible ones, always the same. Writes nothing.',
    body: exactly({ username: v.optional(text) }),
    answers: { 200: requestOptions },
  },
  finishLogin: {
    on: 'POST /passkey/login/verify',
    access: 'anybody',
    budget: 'ceremony',
    summary: 'Finish signing in',
    description:
      'Whatever does not hold is one answer. `reason` is `unknown_credential` where the account, by the user handle that came, has no such passkey: the browser may forget it.',
    body: assertion,
    answers: { 200: v.object({ user: userResource, session: sessionResource }) },
    errors: ['authentication_failed'],
  },
  startStepUp: {
    on: 'POST /passkey/stepup/start',
    access: 'signed_in',
    budget: 'ceremony',
    summary: 'Start to prove presence again',
    answers: { 200: requestOptions },
  },
  finishStepUp: {
    on: 'POST /passkey/stepup/verify',
    access: 'signed_in',
    budget: 'ceremony',
    summary: 'Finish proving presence again',
    description: 'The session counts as fresh again, under a new token.',
    body: assertion,
    answers: { 200: v.object({ session: sessionResource }) },
    errors: ['authentication_failed'],
  },
});

export const deviceEndpoints = endpoints({
  listPasskeys: {
    on: 'GET /passkey/devices',
    access: 'any_session',
    budget: 'read',
    summary: 'List one’s passkeys',
    answers: { 200: v.object({ devices: v.array(passkeyResource) }) },
  },
  readSignals: {
    on: 'GET /passkey/signals',
    access: 'signed_in',
    budget: 'read',
    summary: 'Read what browsers are to be told of one’s passkeys',
    description: 'What the signal methods of WebAuthn Level 3 (5.1.10) take.',
    answers: { 200: signals },
  },
  addPasskey: {
    on: 'POST /passkey/devices/add',
    access: 'fresh_or_recovering',
    budget: 'ceremony',
    summary: 'Add a passkey',
    description:
      'Without a credential it starts (200), with one it finishes (201). Of a recovery session it completes the recovery: the session becomes a full one, and every other session ends. With `conditional`, in a session that a password opened, for a ceremony without a prompt (conditional mediation).',
    body: addition,
    answers: { 200: creationOptions, 201: device },
    errors: ['recovery_session', 'forbidden', 'registration_failed', 'passkey_already_registered'],
  },
  renamePasskey: {
    on: 'PATCH /passkey/devices/:id',
    access: 'signed_in',
    budget: 'write',
    summary: 'Label a passkey',
    body: exactly({ label: shortText }),
    answers: { 200: device },
    errors: ['not_found'],
  },
  removePasskey: {
    on: 'DELETE /passkey/devices/:id',
    access: 'fresh',
    budget: 'write',
    summary: 'Remove a passkey',
    answers: { 204: null },
    errors: ['not_found', 'last_credential'],
  },
});
