import type { Ceremonies } from './support/ceremonies.ts';
import { type Operation, request } from './support/operation.ts';
import { type Actor, password, type World } from './support/world.ts';

const reason = 'a question about an order';

/** Every request that changes something, one per line. `operator-calls.ts` has the calls of operators. */
export function requestsOf(world: World, ceremonies: Ceremonies): Operation[] {
  const { sue, sam, adm, eve, bob, usr, kim, lea, ann, dan } = world.actors;
  const { kimRecovering, usrElsewhere, sueAsUsr } = world.browsers;
  const { tokens, invitations, webhookId } = world;
  const anyone = world.service.browser();
  const by = (name: string, { browser }: Pick<Actor, 'browser'>, target: string, body?: object) =>
    request(name, browser, target, body);
  const finish = (
    name: string,
    { browser, credential }: Ceremonies[keyof Ceremonies],
    target: string,
    body = {},
  ) => request(name, browser, target, { credential, ...body });

  const user = ({ id }: { id: string }) => `/auth/admin/users/${id}`;
  const here = `/auth/organizations/${world.here.id}`;
  const there = `/auth/organizations/${world.there.id}`;
  const admin = '/auth/admin';
  const received = '/auth/invitations';
  const add = 'POST /auth/passkey/devices/add';
  const webhook = `${admin}/webhooks/${webhookId}`;

  return [
    // Sign-up and sign-in
    finish('joe signs up', ceremonies.signUp, 'POST /auth/passkey/register/verify'),
    finish('joy signs up invited', ceremonies.signUpInvited, 'POST /auth/passkey/register/verify'),
    finish('usr signs in', ceremonies.usrSignsIn, 'POST /auth/passkey/login/verify'),
    finish('sam signs in', ceremonies.samSignsIn, 'POST /auth/passkey/login/verify'),
    request('usr signs in by password', anyone, 'POST /auth/password/login', { username: 'usr', password }),
    finish('usr steps up', ceremonies.usrStepsUp, 'POST /auth/passkey/stepup/verify'),
    by('usr steps up by password', usr, 'POST /auth/password/stepup', { password }),

    // Own sessions and the own account
    by('usr signs out', usr, 'DELETE /auth/session'),
    by('usr gets a service token', usr, 'POST /auth/session/token'),
    by('usr ends all sessions', usr, 'DELETE /auth/sessions'),
    request('usr ends a session', usrElsewhere, `DELETE /auth/sessions/${usr.sessionId}`),
    by('usr updates the profile', usr, 'PATCH /auth/account', { displayName: 'Usher' }),
    by('usr renames', usr, 'PUT /auth/account/username', { username: 'usher' }),
    by('usr deletes the account', usr, 'DELETE /auth/account'),
    by('bob deletes the account', bob, 'DELETE /auth/account'),
    by('sue deletes the account', sue, 'DELETE /auth/account'),
    request('sue as usr updates the profile', sueAsUsr, 'PATCH /auth/account', { displayName: 'Seen' }),
    request('sue as usr signs out', sueAsUsr, 'DELETE /auth/session'),

    // Sign-in methods and recovery codes
    finish('usr adds a passkey', ceremonies.usrAddsPasskey, add),
    by('usr names a passkey', usr, `PATCH /auth/passkey/devices/${usr.passkeyId}`, { label: 'Key' }),
    by('usr removes passkey', usr, `DELETE /auth/passkey/devices/${usr.passkeyId}`),
    by('usr changes password', usr, 'POST /auth/password/add', { password: 'nine lamps, one dark' }),
    by('usr removes password', usr, 'DELETE /auth/password/remove'),
    by('usr generates codes', usr, 'POST /auth/recovery/codes/generate'),
    by('usr revokes codes', usr, 'DELETE /auth/recovery/codes/revoke'),
    request('usr uses a code', anyone, 'POST /auth/recovery/codes/use', {
      username: 'usr',
      code: world.codes[0],
    }),

    // Recovery links
    request('lea uses the link', anyone, 'POST /auth/recovery/assisted/use', { token: tokens.recovery }),
    by('lea cancels the link', lea, 'DELETE /auth/recovery/assisted'),
    finish('kim completes the recovery', ceremonies.kimCompletes, add),
    request('kim leaves the recovery', kimRecovering, 'DELETE /auth/session'),
    by('kim ends all sessions', kim, 'DELETE /auth/sessions'),
    by('adm helps lea', adm, `POST ${user(lea)}/recovery`),
    by('adm helps usr', adm, `POST ${user(usr)}/recovery`),
    by('sam helps kim', sam, `POST ${user(kim)}/recovery`),
    by('sue helps sam', sue, `POST ${user(sam)}/recovery`),

    // Roles and status
    by('sue demotes sam', sue, `PUT ${user(sam)}/role`, { role: 'user' }),
    by('sam demotes sue', sam, `PUT ${user(sue)}/role`, { role: 'admin' }),
    by('sue demotes sue', sue, `PUT ${user(sue)}/role`, { role: 'user' }),
    by('sue demotes adm', sue, `PUT ${user(adm)}/role`, { role: 'user' }),
    by('sue promotes bob', sue, `PUT ${user(bob)}/role`, { role: 'admin' }),
    by('sue promotes usr', sue, `PUT ${user(usr)}/role`, { role: 'superadmin' }),
    by('sue promotes kim', sue, `PUT ${user(kim)}/role`, { role: 'superadmin' }),
    by('sue disables sam', sue, `POST ${user(sam)}/disable`),
    by('sam disables sue', sam, `POST ${user(sue)}/disable`),
    by('sue disables adm', sue, `POST ${user(adm)}/disable`),
    by('sam disables bob', sam, `POST ${user(bob)}/disable`),
    by('sue disables usr', sue, `POST ${user(usr)}/disable`),
    by('sue disables kim', sue, `POST ${user(kim)}/disable`),
    by('sue enables dan', sue, `POST ${user(dan)}/enable`),
    by('sue deletes sam', sue, `DELETE ${user(sam)}`),
    by('sue deletes usr', sue, `DELETE ${user(usr)}`),
    by('sue deletes bob', sue, `DELETE ${user(bob)}`),

    // Help with other accounts
    by('adm updates usr', adm, `PATCH ${user(usr)}`, { displayName: 'Named' }),
    by('adm renames usr', adm, `PUT ${user(usr)}/username`, { username: 'usher' }),
    by('sue renames ann', sue, `PUT ${user(ann)}/username`, { username: 'joe' }),
    by('adm ends sessions of usr', adm, `DELETE ${user(usr)}/sessions`),
    by('adm ends a session of usr', adm, `DELETE ${user(usr)}/sessions/${usr.sessionId}`),
    by('sue impersonates usr', sue, `POST ${user(usr)}/impersonation`, { reason }),
    request('ops uses the impersonation link', anyone, 'POST /auth/impersonation', {
      token: tokens.impersonation,
    }),

    // Invitations to the service
    by('sue invites an admin', sue, `POST ${admin}/invitations`, {}),
    by('sam invites ann as admin', sam, `POST ${admin}/invitations`, { username: 'ann' }),
    by('sue revokes the admin invitation', sue, `DELETE ${admin}/invitations/${invitations.admin}`),
    by('ann becomes admin', ann, `POST ${admin}/invitations/accept`, { token: tokens.admin }),
    by('usr becomes admin', usr, `POST ${admin}/invitations/accept`, { token: tokens.admin }),
    by('adm invites a user', adm, `POST ${admin}/user-invitations`, {}),
    by('adm revokes the user invitation', adm, `DELETE ${admin}/user-invitations/${invitations.user}`),

    // Organizations
    by('adm founds', adm, 'POST /auth/organizations', { name: 'New', slug: 'new' }),
    by('eve founds', eve, 'POST /auth/organizations', { name: 'New', slug: 'new' }),
    by('adm renames here', adm, `PATCH ${here}`, { name: 'New', slug: 'new' }),
    by('adm deletes here', adm, `DELETE ${here}`),
    by('sue adds ann to here', sue, `POST ${here}/members`, { username: 'ann', role: 'admin' }),
    by('adm leaves', adm, `DELETE ${here}/membership`),
    by('bob leaves', bob, `DELETE ${here}/membership`),
    by('usr leaves', usr, `DELETE ${here}/membership`),
    by('adm demotes bob', adm, `PATCH ${here}/members/${bob.id}`, { role: 'user' }),
    by('bob demotes adm', bob, `PATCH ${here}/members/${adm.id}`, { role: 'user' }),
    by('bob demotes bob', bob, `PATCH ${here}/members/${bob.id}`, { role: 'user' }),
    by('adm promotes usr', adm, `PATCH ${here}/members/${usr.id}`, { role: 'admin' }),
    by('adm removes bob', adm, `DELETE ${here}/members/${bob.id}`),
    by('bob removes adm', bob, `DELETE ${here}/members/${adm.id}`),
    by('adm removes usr', adm, `DELETE ${here}/members/${usr.id}`),

    // Invitations to organizations
    by('bob invites kim', bob, `POST ${here}/invitations`, { username: 'kim' }),
    by('bob invites eve', bob, `POST ${here}/invitations`, { username: 'eve', role: 'admin' }),
    by('bob creates an invitation link', bob, `POST ${here}/invitations`, {}),
    by('eve revokes the invitation of usr', eve, `DELETE ${there}/invitations/${invitations.usrThere}`),
    by('adm revokes the invitation of ann', adm, `DELETE ${here}/invitations/${invitations.annHere}`),
    by('adm revokes the invitation link', adm, `DELETE ${here}/invitations/${invitations.link}`),
    by('ann accepts', ann, `POST ${received}/${invitations.annHere}/accept`),
    by('ann declines', ann, `POST ${received}/${invitations.annHere}/decline`),
    by('usr accepts theirs', usr, `POST ${received}/${invitations.usrThere}/accept`),
    by('ann joins by link', ann, `POST ${received}/accept`, { token: tokens.link }),
    by('eve joins by link', eve, `POST ${received}/accept`, { token: tokens.link }),

    // Webhooks
    by('sue creates a webhook', sue, `POST ${admin}/webhooks`, { name: 'more', url: 'https://127.0.0.1:1/' }),
    by('sue updates the webhook', sue, `PATCH ${webhook}`, { url: 'https://127.0.0.1:2/' }),
    by('sue rotates the secret of the webhook', sue, `POST ${webhook}/rotate-secret`),
    by('sue pauses the webhook', sue, `POST ${webhook}/pause`),
    by('sue resumes the webhook', sue, `POST ${webhook}/resume`, { after: 'end' }),
    by('sue deletes the webhook', sue, `DELETE ${webhook}`),
  ];
}
