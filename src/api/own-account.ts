import * as v from 'valibot';
import { deleteOwnAccount } from '../accounts/operations/delete-user.ts';
import { renameOwnAccount } from '../accounts/operations/rename.ts';
import { updateOwnProfile } from '../accounts/operations/update-profile.ts';
import type { Runtime } from '../core/runtime.ts';
import { clearSessionCookie } from '../http/cookies.ts';
import { exactly } from '../http/input.ts';
import { endpoints } from './endpoint.ts';
import { fieldsInput, newName, newUsername, ownProfileResource, profileOf } from './profiles.ts';
import { userResource } from './resources.ts';
import type { Serve } from './serve.ts';

export const accountEndpoints = endpoints({
  updateAccount: {
    on: 'PATCH /account',
    access: 'full_session',
    event: 'account.update',
    budget: 'write',
    summary: 'Change your display name or your own fields',
    description:
      'Changes only the given values. The audit log contains the names of the changed values. Own fields can require fresh authentication; the error is then `reauthentication_required` or `passkey_required`.',
    body: exactly({ ...newName, fields: fieldsInput('write') }),
    answers: { 200: v.object({ user: ownProfileResource }) },
    errors: ['reauthentication_required', 'passkey_required'],
  },
  renameAccount: {
    on: 'PUT /account/username',
    access: 'fresh',
    event: 'account.rename',
    budget: 'write',
    summary: 'Change your username',
    description:
      'Works only if the service allows users to change their usernames. No other user can get the earlier username. The caller can change back to it. Pending admin invitations for the earlier username change to the new username if they were created since the user had the earlier username. All other pending invitations for the earlier or the new username are revoked, also user invitations.',
    body: newUsername,
    answers: { 200: v.object({ user: userResource }) },
    errors: ['forbidden', 'username_unacceptable', 'username_taken', 'too_many_usernames', 'sign_up_refused'],
  },
  deleteAccount: {
    on: 'DELETE /account',
    access: 'fresh',
    event: 'account.delete',
    budget: 'write',
    summary: 'Delete your own account',
    description:
      'Permanently deletes the passkeys, the password, the recovery codes, the sessions and the memberships. Revokes the pending invitations and cancels the recovery links that the caller created. The username stays taken.',
    answers: { 204: null },
    // `forbidden`: the caller's role can change during the request.
    errors: ['forbidden', 'not_found', 'last_superadmin', 'still_referenced'],
  },
});

export function accountRoutes(serve: Serve, runtime: Runtime): void {
  serve(accountEndpoints.updateAccount, async (ctx, actor, { body, read }) => {
    ctx.body = { user: profileOf(runtime, await updateOwnProfile(runtime, actor, await body(), read)) };
  });

  serve(accountEndpoints.renameAccount, async (ctx, actor, { body }) => {
    const { username } = await body();
    ctx.body = { user: await renameOwnAccount(runtime, actor, username) };
  });

  serve(accountEndpoints.deleteAccount, async (ctx, actor, { body }) => {
    await body();
    await deleteOwnAccount(runtime, actor);
    clearSessionCookie(ctx, runtime.config);
    ctx.status = 204;
  });
}
