import { type Call, call, type Operation } from './support/operation.ts';
import { password, type World } from './support/world.ts';

/** Every operator call that changes something, one per line. */
export function operatorCallsOf({ auth, invitations, deletedId, actors: { usr } }: World): Operation[] {
  const ops = (name: string, target: Call | 'bootstrap', ...values: unknown[]) =>
    call(auth, `ops ${name}`, target, ...values);
  const here = 'here';
  return [
    ops('bootstraps', 'bootstrap', { username: 'root', password }),
    ops('bootstraps again', 'bootstrap', { username: 'root', password, again: true }),
    ops('bootstraps by link', 'bootstrap', { username: 'root' }),
    ops('bootstraps another', 'bootstrap', { username: 'toor', password }),
    ops('invites an admin', 'invitations.create'),
    ops('revokes the admin invitation', 'invitations.revoke', invitations.admin),

    ops('creates joe', 'users.create', { username: 'joe' }),
    ops('creates old', 'users.create', { username: 'old' }),
    ops('imports joe', 'users.import', [{ username: 'joe' }]),
    ops('updates usr', 'users.update', 'usr', { displayName: 'Ops' }),
    ops('renames usr', 'users.rename', 'usr', 'usher'),
    ops('demotes sue', 'users.changeRole', 'sue', 'user'),
    ops('demotes sam', 'users.changeRole', 'sam', 'user'),
    ops('disables sue', 'users.disable', 'sue'),
    ops('disables usr', 'users.disable', 'usr'),
    ops('enables dan', 'users.enable', 'dan'),
    ops('ends sessions of usr', 'users.endSessions', 'usr'),
    ops('ends a session of usr', 'users.endSession', 'usr', usr.sessionId),
    ops('ends all sessions', 'users.endAllSessions', { recoveryLinks: true }),
    ops('helps lea', 'users.createRecoveryLink', 'lea'),
    ops('cancels the link of lea', 'users.cancelRecoveryLink', 'lea'),
    ops('impersonates usr', 'users.impersonate', 'usr', { reason: 'a question about an order' }),
    ops('deletes usr', 'users.delete', 'usr'),
    ops('deletes sam', 'users.delete', 'sam'),
    ops('erases del', 'users.erase', deletedId),

    ops('founds', 'organizations.create', { name: 'New', slug: 'new', admin: 'usr' }),
    ops('renames here', 'organizations.update', here, { slug: 'new' }),
    ops('deletes here', 'organizations.delete', here),
    ops('adds ann to here', 'organizations.addMember', here, { username: 'ann', role: 'admin' }),
    ops('demotes bob in here', 'organizations.changeMemberRole', here, 'bob', 'user'),
    ops('removes adm from here', 'organizations.removeMember', here, 'adm'),
    ops('invites eve to here', 'organizations.invite', here, { username: 'eve' }),
    ops('revokes the invitation of ann', 'organizations.revokeInvitation', here, invitations.annHere),

    ops('creates a webhook', 'webhooks.create', { name: 'more', url: 'https://127.0.0.1:1/' }),
    ops('updates the webhook', 'webhooks.update', 'hooks', { url: 'https://127.0.0.1:3/' }),
    ops('rotates the secret of the webhook', 'webhooks.rotateSecret', 'hooks'),
    ops('pauses the webhook', 'webhooks.pause', 'hooks'),
    ops('resumes the webhook', 'webhooks.resume', 'hooks', { after: 'end' }),
    ops('deletes the webhook', 'webhooks.delete', 'hooks'),
  ];
}
