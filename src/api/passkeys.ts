import type { Context } from 'koa';
import * as v from 'valibot';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from '../http/endpoint.ts';
import { exactly, shortText, text } from '../http/input.ts';
import { countName } from '../http/rate-limit.ts';
import { finishAddPasskey, startAddPasskey } from '../passkeys/operations/add.ts';
import { completeRecovery } from '../passkeys/operations/complete-recovery.ts';
import { listPasskeys, removePasskey, renamePasskey } from '../passkeys/operations/devices.ts';
import { finishLogin, startLogin } from '../passkeys/operations/login.ts';
import { finishSignUp, startSignUp } from '../passkeys/operations/sign-up.ts';
import { type PasskeySignals, readSignals } from '../passkeys/operations/signals.ts';
import { finishStepUp, startStepUp } from '../passkeys/operations/step-up.ts';
import { simpleWebAuthn } from '../passkeys/simplewebauthn.ts';
import {
  authenticationResponse,
  creationOptionsResource,
  passkeyResource,
  registrationResponse,
  requestOptionsResource,
} from './passkey-schemas.ts';
import { recoveryCodesResource } from './recovery.ts';
import { bound, type Serve, signIn } from './serve.ts';
import { sessionResource } from './sessions.ts';
import { userResource } from './users.ts';

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

/** One route for both halves of adding: without a credential it starts, with one it finishes. */
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
      'Without a credential it starts (200), with one it finishes (201). In a recovery session it completes the recovery: every passkey that is not in `keepPasskeys` is removed, and the password unless `keepPassword` is true; `recoveryCodes` replaces all earlier codes and is shown once; all sessions end and a full one opens. With `conditional`, in a session that a password opened, it starts a ceremony without a prompt (conditional mediation).',
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

export function passkeyRoutes(serve: Serve, runtime: Runtime): void {
  // Where there are ceremonies to come, the first is not to wait for it.
  simpleWebAuthn().catch(() => {});
  ceremonyRoutes(serve, runtime);
  deviceRoutes(serve, runtime);
}

function ceremonyRoutes(serve: Serve, runtime: Runtime): void {
  serve(ceremonyEndpoints.startSignUp, async (ctx, caller, { body }) => {
    const input = await body();
    await countName(ctx, runtime, 'ceremony', input.username);
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
    // A login without a name is counted for its address alone: whoever exhausts a name's budget leaves this way in.
    if (username !== undefined) await countName(ctx, runtime, 'ceremony', username);
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

  serve(deviceEndpoints.readSignals, async (ctx, actor) => {
    ctx.body = await readSignals(runtime, actor);
  });

  serve(deviceEndpoints.addPasskey, async (ctx, actor, { body }) => {
    const { credential, label, conditional, keepPasskeys, keepPassword } = await body();
    const recovers = actor.session.kind === 'recovery';
    if (!recovers && (keepPasskeys ?? keepPassword) !== undefined) throw keptOutsideOfRecovery();
    if (!credential) {
      const start = { conditional, keepPasskeys };
      ctx.body = { options: await startAddPasskey(runtime, bound(ctx, runtime, actor), start) };
      return;
    }
    const finish = { credential, label };
    ctx.status = 201;
    if (!recovers) {
      ctx.body = { device: await finishAddPasskey(runtime, actor, finish), recoveryCodes: null };
      return;
    }
    const kept = { keepPasskeys: keepPasskeys ?? [], keepPassword: keepPassword ?? false };
    const { passkey, opened, recoveryCodes } = await completeRecovery(runtime, actor, finish, kept);
    signIn(ctx, runtime, opened);
    ctx.body = { device: passkey, recoveryCodes };
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

const keptOutsideOfRecovery = () =>
  new AuthError('invalid_request', {
    message:
      'keepPasskeys and keepPassword: only allowed in a recovery session. Omit them in a full session.',
  });

const idOf = (ctx: Context): string => `${ctx.params.id}`;
