import type { AuthService } from 'latchkey';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { TestAgent } from '../../support/agent.ts';
import { logIn, newAuthenticator, signUp } from '../../support/person.ts';
import { countEffects } from './effects.ts';
import { expireRows } from './expired-rows.ts';
import { type ScheduledService, startScheduledService } from './service.ts';

/** A user of the test, and the browser in which the user is signed in. */
export interface Actor {
  username: string;
  id: string;
  browser: TestAgent;
  authenticator: SoftwareAuthenticator;
  passkeyId: string;
  sessionId: string;
}

const names = ['sue', 'sam', 'adm', 'eve', 'bob', 'usr', 'kim', 'lea', 'ann', 'dan'] as const;
export type ActorName = (typeof names)[number];

/**
 * The data on which all schedules start:
 * - sue, sam: the only superadmins
 * - adm: role admin, organization admin of `here`
 * - eve: role admin, the only organization admin of `there`
 * - bob: role user, organization admin of `here`
 * - usr: role user, member of `here`, invited to `there`. Has one passkey, a password and recovery codes
 * - kim: role admin, is in a recovery session of a link that sam created
 * - lea: role user, member of `here`, has a recovery link that adm created
 * - ann: role user, invited to `here` as organization admin
 * - dan: role user, disabled
 *
 * Some rows have expired, see `expireRows`.
 */
export interface World {
  url: string;
  service: ScheduledService;
  auth: AuthService;
  actors: Record<ActorName, Actor>;
  here: { id: string; slug: string };
  there: { id: string; slug: string };
  /** The id of a deleted user. */
  deletedId: string;
  webhookId: string;
  /** The ids of pending invitations. */
  invitations: Record<'admin' | 'user' | 'annHere' | 'usrThere' | 'link', string>;
  tokens: Record<'admin' | 'user' | 'link' | 'recovery' | 'impersonation', string>;
  codes: string[];
  /** Other browsers: kim's recovery session, a second session of usr, a session of sue as usr. */
  browsers: Record<'kimRecovering' | 'usrElsewhere' | 'sueAsUsr', TestAgent>;
  close(): Promise<void>;
}

export const password = 'a wet towel in Oslo';

/**
 * @param url a migrated database that only this world uses, with the rights of its owner
 * @param superadmins whether sue and sam are superadmins. If not, a bootstrap is possible
 */
export async function createWorld(url: string, superadmins = true): Promise<World> {
  const service = await startScheduledService(url);
  const { auth, sql } = service;
  const operator = auth.asOperator('ops');
  const actors = {} as Record<ActorName, Actor>;
  for (const name of names) actors[name] = await createActor(service, name);
  const { sue, sam, adm, eve, bob, usr, kim, lea, dan } = actors;
  for (const [{ id }, role] of [
    [sue, 'superadmin'],
    [sam, 'superadmin'],
    [adm, 'admin'],
    [eve, 'admin'],
    [kim, 'admin'],
  ] as const)
    await sql`update latchkey.users set role = ${role} where id = ${id}`;

  await post(usr, '/auth/password/add', { password });
  const { codes } = await post(usr, '/auth/recovery/codes/generate');
  const found = async (actor: Actor, slug: string) =>
    (await post(actor, '/auth/organizations', { name: slug, slug })).organization as {
      id: string;
      slug: string;
    };
  const here = await found(adm, 'here');
  const there = await found(eve, 'there');
  for (const [{ username }, role] of [
    [bob, 'admin'],
    [usr, 'user'],
    [lea, 'user'],
  ] as const)
    await operator.organizations.addMember('here', { username, role });

  const invite = (actor: Actor, { id }: { id: string }, body: object = {}) =>
    post(actor, `/auth/organizations/${id}/invitations`, body);
  const annHere = await invite(bob, here, { username: 'ann', role: 'admin' });
  const usrThere = await invite(eve, there, { username: 'usr' });
  const link = await invite(bob, here);
  const admin = await post(sam, '/auth/admin/invitations', {});
  const user = await post(adm, '/auth/admin/user-invitations', {});
  const { webhook } = await operator.webhooks.create({ name: 'hooks', url: 'https://127.0.0.1:1/' });

  const kimRecovering = service.browser();
  const linkOfKim = await post(sam, `/auth/admin/users/${kim.id}/recovery`);
  await send(kimRecovering, '/auth/recovery/assisted/use', { token: linkOfKim.token });
  const linkOfLea = await post(adm, `/auth/admin/users/${lea.id}/recovery`);
  const usrElsewhere = service.browser();
  await logIn(usrElsewhere, usr.authenticator);
  // A separate session, because an impersonation replaces the session that starts it.
  const sueAsUsr = service.browser();
  await logIn(sueAsUsr, sue.authenticator);
  await send(sueAsUsr, `/auth/admin/users/${usr.id}/impersonation`, { reason: 'a question about an order' });
  const impersonation = await operator.users.impersonate('usr', { reason: 'a question about an order' });
  const [deleted, old, erased] = [
    await createActor(service, 'del'),
    await createActor(service, 'old'),
    await createActor(service, 'gone'),
  ];
  for (const { username } of [deleted, old, erased]) await operator.users.delete(username);
  await operator.users.erase(erased.id);
  await operator.users.disable(dan.username);
  await post(adm, `/auth/admin/users/${usr.id}/recovery`);
  await operator.users.impersonate('ann', { reason: 'a question about an order' });
  await expireRows(sql, { usr: usr.id, ann: actors.ann.id, deleted: old.id, erased: erased.id });
  if (!superadmins) await sql`update latchkey.users set role = 'user' where role = 'superadmin'`;
  await countEffects(sql);
  return {
    url,
    service,
    auth,
    actors,
    here,
    there,
    deletedId: deleted.id,
    webhookId: webhook.id,
    invitations: {
      admin: admin.invitation.id,
      user: user.invitation.id,
      annHere: annHere.invitation.id,
      usrThere: usrThere.invitation.id,
      link: link.invitation.id,
    },
    tokens: {
      admin: admin.token,
      user: user.token,
      link: link.token,
      recovery: linkOfLea.token,
      impersonation: impersonation.token,
    },
    codes,
    browsers: { kimRecovering, usrElsewhere, sueAsUsr },
    close: () => service.close(),
  };
}

async function createActor(service: ScheduledService, username: string): Promise<Actor> {
  const authenticator = newAuthenticator();
  const { browser, signedUp } = await signUp(
    { browser: service.browser, url: '' },
    { username, authenticator },
  );
  const { user, passkey, session } = signedUp.body;
  return { username, id: user.id, browser, authenticator, passkeyId: passkey.id, sessionId: session.id };
}

const post = ({ browser }: Actor, path: string, body?: object) => send(browser, path, body);

/** Sends a request and returns the body of the answer. The request must succeed. */
export async function send(browser: TestAgent, path: string, body?: object) {
  const answer = await browser.post(path, body);
  if (answer.status >= 300) throw new Error(`${path} returned ${answer.status} ${answer.body?.code}`);
  return answer.body;
}
