import type { Context } from 'koa';
import type { InferOutput } from 'valibot';
import * as v from 'valibot';
import type { SignedInActor } from '../core/actor.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { finishAddPasskey, startAddPasskey } from '../passkeys/operations/add.ts';
import { completeRecovery } from '../passkeys/operations/complete-recovery.ts';
import { listPasskeys, removePasskey, renamePasskey } from '../passkeys/operations/devices.ts';
import { finishLogin, startLogin } from '../passkeys/operations/login.ts';
import type { RegistrationFinish } from '../passkeys/operations/prove-registration.ts';
import { finishSignUp, startSignUp } from '../passkeys/operations/sign-up.ts';
import { type PasskeySignals, readSignals } from '../passkeys/operations/signals.ts';
import { finishStepUp, startStepUp } from '../passkeys/operations/step-up.ts';
import { simpleWebAuthn } from '../passkeys/simplewebauthn.ts';
import { endpoints } from './endpoint.ts';
import {
  authenticationResponse,
  creationOptionsResource,
  passkeyResource,
  registrationResponse,
  requestOptionsResource,
} from './passkey-schemas.ts';
import { recoveryCodesResource } from './recovery.ts';
import { sessionResource, userResource } from './resources.ts';
import { bound, countUsername, idOf, type Serve, signIn } from './serve.ts';

const creationOptions = v.object({ options: creationOptionsResource });
const requestOptions = v.object({ options: requestOptionsResource });
const device = v.object({ device: passkeyResource });
const addedDevice = v.object({
  device: passkeyResource,
  recoveryCodes: v.pipe(
    v.nullable(recoveryCodesResource),
    v.description('The new recovery codes where a recovery was completed; else null.'),
  ),
});
const signals = v.object({
  rpId: v.string(),
  userId: v.pipe(v.string(), v.description('The user handle, base64url.')),
  name: v.string(),
  displayName: v.string(),
  allAcceptedCredentialIds: v.array(v.string()),
}) satisfies v.GenericSchema<PasskeySignals>;

/** One path for both steps: a request without a credential starts the ceremony, one with a credential finishes it. */
const addition = v.pipe(
  exactly({
    credential: v.optional(registrationResponse),
    label: v.optional(shortText),
    conditional: v.optional(v.literal(true, 'expected true')),
    keepPasskeys: v.optional(
      v.pipe(
        v.array(text, 'expected a list of passkey ids'),
        v.maxLength(100, 'expected at most 100 passkey ids'),
      ),
    ),
    keepPassword: v.optional(v.boolean('expected true or false')),
  }),
  v.forward(
    v.check(
      ({ credential, conditional }) => !(credential && conditional),
      'not allowed with a credential: the challenge says how the ceremony started',
    ),
    ['conditional'],
  ),
);

const assertion = exactly({ credential: authenticationResponse });

export const ceremonyEndpoints = endpoints({
  startSignUp: {
    on: 'POST /passkey/register/start',
    access: 'none',
    budget: 'ceremony',
    summary: 'Start a sign-up with a passkey',
    description: 'Writes nothing and does not reserve the username.',
    body: exactly({ username: text, displayName: v.optional(shortText) }),
    answers: { 200: creationOptions },
    errors: ['username_unacceptable', 'username_taken'],
  },
  finishSignUp: {
    on: 'POST /passkey/register/verify',
    access: 'none',
    budget: 'ceremony',
    summary: 'Finish a sign-up',
    description:
      'Creates account, passkey and session in one step. The challenge is spent whether it succeeds or not.',
    body: exactly({ credential: registrationResponse, label: v.optional(shortText) }),
    answers: { 201: v.object({ user: userResource, passkey: passkeyResource, session: sessionResource }) },
    errors: ['registration_failed', 'username_unacceptable', 'username_taken', 'passkey_already_registered'],
  },
  startLogin: {
    on: 'POST /passkey/login/start',
    access: 'none',
    budget: 'ceremony',
    summary: 'Start a sign-in with a passkey',
    description:
      'Without a username: for any passkey of this site, as autofill needs it. With a username: for the passkeys of that user. An unknown username gets plausible credential ids, always the same ones. Writes nothing.',
    body: exactly({ username: v.optional(text) }),
    answers: { 200: requestOptions },
  },
  finishLogin: {
    on: 'POST /passkey/login/verify',
    access: 'none',
    budget: 'ceremony',
    summary: 'Finish a sign-in',
    description:
      'Every failure has the same answer. `reason` is `unknown_credential` if the account of the user handle has no such passkey: the browser can remove it.',
    body: assertion,
    answers: { 200: v.object({ user: userResource, session: sessionResource }) },
    errors: ['authentication_failed'],
  },
  startStepUp: {
    on: 'POST /passkey/stepup/start',
    access: 'full_session',
    event: 'passkey.stepup',
    budget: 'ceremony',
    summary: 'Start a step-up',
    answers: { 200: requestOptions },
  },
  finishStepUp: {
    on: 'POST /passkey/stepup/verify',
    access: 'full_session',
    event: 'passkey.stepup',
    budget: 'ceremony',
    summary: 'Finish a step-up',
    description: 'The session counts as fresh again and gets a new token.',
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
    summary: 'List your passkeys',
    answers: { 200: v.object({ devices: v.array(passkeyResource) }) },
  },
  getPasskeySignals: {
    on: 'GET /passkey/signals',
    access: 'full_session',
    budget: 'read',
    summary: 'Get the input of the WebAuthn signal methods',
    description:
      'What the signal methods of WebAuthn Level 3 (5.1.10) take, so that browsers update their list of passkeys.',
    answers: { 200: signals },
  },
  addPasskey: {
    on: 'POST /passkey/devices/add',
    access: 'fresh_or_recovering',
    event: 'passkey.add',
    budget: 'ceremony',
    summary: 'Add a passkey',
    description:
      'Without a credential it starts the ceremony (200), with one it finishes it (201). In a recovery session it completes the recovery: every passkey that is not in `keepPasskeys` is removed, and the password unless `keepPassword` is true; `recoveryCodes` replaces all earlier codes and is shown once; all sessions end and a full one opens. With `conditional`, in a session that a password opened, it starts a ceremony without a prompt (conditional mediation).',
    body: addition,
    answers: { 200: creationOptions, 201: addedDevice },
    errors: [
      'authentication_failed',
      'recovery_session',
      'forbidden',
      'registration_failed',
      'passkey_already_registered',
    ],
  },
  renamePasskey: {
    on: 'PATCH /passkey/devices/:id',
    access: 'full_session',
    event: 'passkey.rename',
    target: 'passkey',
    budget: 'write',
    summary: 'Rename a passkey',
    body: exactly({ label: shortText }),
    answers: { 200: device },
    errors: ['not_found'],
  },
  removePasskey: {
    on: 'DELETE /passkey/devices/:id',
    access: 'fresh',
    event: 'passkey.remove',
    target: 'passkey',
    budget: 'write',
    summary: 'Remove a passkey',
    answers: { 204: null },
    errors: ['not_found', 'last_credential'],
  },
});

export function passkeyRoutes(serve: Serve, runtime: Runtime): void {
  // Loads the library now, so that the first ceremony does not wait for it.
  simpleWebAuthn().catch(() => {});
  ceremonyRoutes(serve, runtime);
  deviceRoutes(serve, runtime);
}

function ceremonyRoutes(serve: Serve, runtime: Runtime): void {
  serve(ceremonyEndpoints.startSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    await countUsername(ctx, runtime, 'ceremony', input.username);
    ctx.body = { options: await startSignUp(runtime, bound(ctx, runtime, caller), input) };
  });

  serve(ceremonyEndpoints.finishSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    const { user, passkey, ...opened } = await finishSignUp(runtime, caller, input);
    ctx.status = 201;
    ctx.body = { user, passkey, session: signIn(ctx, runtime, opened) };
  });

  serve(ceremonyEndpoints.startLogin, async (ctx, caller, { body }) => {
    const { username } = await body();
    // A sign-in without a username counts for the address only, so it still works if an attacker uses up a name's budget.
    if (username !== undefined) await countUsername(ctx, runtime, 'ceremony', username);
    ctx.body = { options: await startLogin(runtime, bound(ctx, runtime, caller), username) };
  });

  serve(ceremonyEndpoints.finishLogin, async (ctx, caller, { body }) => {
    const { credential } = await body();
    const { user, ...opened } = await finishLogin(runtime, caller, credential);
    ctx.body = { user, session: signIn(ctx, runtime, opened) };
  });

  serve(ceremonyEndpoints.startStepUp, async (ctx, actor, { body }) => {
    await body();
    ctx.body = { options: await startStepUp(runtime, bound(ctx, runtime, actor)) };
  });

  serve(ceremonyEndpoints.finishStepUp, async (ctx, actor, { body }) => {
    const { credential } = await body();
    ctx.body = { session: signIn(ctx, runtime, await finishStepUp(runtime, actor, credential)) };
  });
}

function deviceRoutes(serve: Serve, runtime: Runtime): void {
  serve(deviceEndpoints.listPasskeys, async (ctx, actor) => {
    ctx.body = { devices: await listPasskeys(runtime, actor) };
  });

  serve(deviceEndpoints.getPasskeySignals, async (ctx, actor) => {
    ctx.body = await readSignals(runtime, actor);
  });

  serve(deviceEndpoints.addPasskey, async (ctx, actor, { body }) => {
    const input = await body();
    const isRecovery = actor.session.kind === 'recovery';
    if (!isRecovery && (input.keepPasskeys ?? input.keepPassword) !== undefined)
      throw keptOutsideOfRecovery();
    if (!input.credential) return startAddition(ctx, runtime, actor, input);
    const finish = { credential: input.credential, label: input.label };
    return isRecovery
      ? finishRecovery(ctx, runtime, actor, finish, input)
      : finishAddition(ctx, runtime, actor, finish);
  });

  serve(deviceEndpoints.renamePasskey, async (ctx, actor, { body }) => {
    const { label } = await body();
    ctx.body = { device: await renamePasskey(runtime, actor, idOf(ctx), label) };
  });

  serve(deviceEndpoints.removePasskey, async (ctx, actor, { body }) => {
    await body();
    await removePasskey(runtime, actor, idOf(ctx));
    ctx.status = 204;
  });
}

type Addition = InferOutput<typeof addition>;

async function startAddition(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  { conditional, keepPasskeys }: Addition,
): Promise<void> {
  const start = { conditional, keepPasskeys };
  ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor), start) };
}

async function finishAddition(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<void> {
  ctx.status = 201;
  ctx.body = { device: await finishAddPasskey(runtime, actor, finish), recoveryCodes: null };
}

/** In a recovery session, the new passkey completes the recovery. */
async function finishRecovery(
  ctx: Context,
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
  { keepPasskeys = [], keepPassword = false }: Addition,
): Promise<void> {
  const kept = { keepPasskeys, keepPassword };
  const { passkey, opened, recoveryCodes } = await completeRecovery(runtime, actor, finish, kept);
  signIn(ctx, runtime, opened);
  ctx.status = 201;
  ctx.body = { device: passkey, recoveryCodes };
}

const keptOutsideOfRecovery = () =>
  new AuthError('invalid_request', {
    message:
      'keepPasskeys and keepPassword: only allowed in a recovery session. Omit them in a full session.',
  });
