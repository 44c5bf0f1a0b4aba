import { type AuditEvent, auditEventNames } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAuditMinimum } from '../../src/db/database-role.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { removeExpired } from '../../src/service/housekeeping.ts';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  type Person,
  signUp,
  stepUp,
  userIdOf,
} from '../support/person.ts';
import { sending } from '../support/sending.ts';
import { sequence } from '../support/sequencing.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { exportPath } from './support/activity.ts';
import * as authority from './support/authority.ts';
import { addConcerned, addNames, addStoredSecrets, type DayRow, hearSecrets, lineOf } from './support/day.ts';
import { faultsOf } from './support/event-schema.ts';
import { fillSessions } from './support/full-account.ts';
import * as passwords from './support/passwords.ts';
import * as recovery from './support/recovery.ts';

const { password, otherPassword, wrongPassword } = passwords;
const secrets = new Set([password, otherPassword, wrongPassword]);
const names = new Map<string, string>();
/** For each passkey, session, invitation and organization: the users that its events are about. */
const concerned = new Map<string, Set<string>>();
/** Every event that a listener to `*` received. */
const received: AuditEvent[] = [];
const steps: { act: string; lines: readonly string[]; rows: DayRow[] }[] = [];
// The service must remove control characters: in a log, they could forge a line or change the color.
const oddAgent = 'Odd\tBrowser \u009b31mred\u0085 1.0';

let service: TestService;
beforeAll(async () => {
  const retention = {
    auditRetentionDays: 90,
    deletedUsernameReleaseDays: 90,
    impersonation: true,
  };
  service = await startTestService({ bcryptCost: 4, ...retention }, (app) => hearSecrets(app, secrets));
  service.auth.on('*', (event) => received.push(event));
  ada = service.browser();
  for (const [act, ...lines] of day) {
    const before = (await service.auditRows()).length;
    await act();
    await addNames(service, names);
    await addConcerned(service, concerned);
    await addStoredSecrets(service, secrets);
    const rows = (await service.auditRows()).slice(before) as DayRow[];
    steps.push({ act: `${act}`, lines, rows });
  }
});
afterAll(() => service.close());

let ada: TestAgent;
let support: TestAgent;
let bob: Person;
let carol: Person;
let dave: Person;
let eve: Person;
let acme: { id: string; slug: string };
let token: string;
let invitationId: string;
let codes: string[];
let link: string;
let side: TestAgent;
const longGone = '00000000-0000-7000-8000-00000000000e';
const phone = newAuthenticator();
const oldKey = newAuthenticator();
const newKey = newAuthenticator();
const counting = newAuthenticator({ counter: 5 });
let copied: typeof counting;

const idOf = ({ credentials }: typeof phone) => Buffer.from(credentials[0]?.id ?? '', 'base64url');
const ops = () => service.auth.asOperator('ops');
const refused = (promise: Promise<unknown>) => expect(promise).rejects.toThrow();
const passkeyOf = async (browser: TestAgent, label: string): Promise<string> => {
  const { devices } = (await browser.get('/auth/passkey/devices')).body;
  return devices.find((device: { label: string }) => device.label === label).id;
};
const devicePath = async (browser: TestAgent, label: string) =>
  `/auth/passkey/devices/${await passkeyOf(browser, label)}`;
const invitationPath = async (index: number) =>
  `${authority.invitationsPath}/${(await ada.get(authority.invitationsPath)).body.invitations[index].id}`;
const userPath = (person: Person) => `${authority.usersPath}/${userIdOf(person)}`;
const member = (person: Person) => authority.memberPath(acme, person);
const inviteToAcme = async (username?: string): Promise<string> =>
  (await authority.inviteTo(bob.browser, acme, username ? { username } : {})).body.invitation.id;
const adaId = async () => (await ada.get('/auth/session')).body.user.id;
const signUpNamed = (username: string) => signUp(service, { username });

type Line = [act: () => Promise<unknown>, ...lines: string[]];

// biome-ignore format: the table has one step per line
const day: Line[] = [
  // Bootstrap.
  [() => ops().bootstrap({ username: 'ada', password }), 'operator ops superadmin.bootstrap, user ada'],
  [() => refused(ops().bootstrap({ username: 'eve' })), 'operator ops superadmin.bootstrap, refused (already_bootstrapped)'],
  [() => passwords.logInByPassword(ada, { username: 'ada' }), 'ada password.login, user ada'],
  [() => passwords.stepUpByPassword(ada), 'ada password.stepup, user ada'],
  [() => passwords.stepUpByPassword(ada, wrongPassword), 'ada password.stepup, refused (password_wrong), user ada'],
  [() => addPasskey(ada, phone, { label: 'Phone' }), 'ada passkey.add, passkey Phone'],
  [() => addPasskey(ada, oldKey, { label: 'Key' }), 'ada passkey.add, passkey Key'],
  [async () => ada.patch(await devicePath(ada, 'Key'), { label: 'Old key' }), 'ada passkey.rename, passkey Key (Old key)'],
  [async () => ada.delete(await devicePath(ada, 'Old key')), 'ada passkey.remove, passkey Key (Old key)'],
  [() => logIn(ada, phone), 'ada passkey.login, passkey Phone (ada)'],
  // A website with a similar name asks for ada's passkey.
  [() => logIn(service.browser(), phone, { tamper: { clientData: { origin: 'https://evil.example' } } }), 'anonymous passkey.login, refused (origin_mismatch), user ada'],
  // Sign-ups.
  [async () => { bob = await signUpNamed('bob'); }, 'bob account.signup, user bob'],
  [async () => { carol = await signUpNamed('carol'); }, 'carol account.signup, user carol'],
  [async () => { dave = await signUpNamed('dave'); }, 'dave account.signup, user dave'],
  [async () => {
    const browser = sending(service.browser(), { 'User-Agent': oddAgent });
    eve = await signUp(service, { username: 'eve', browser, authenticator: counting });
  }, 'eve account.signup, user eve'],
  [() => refused(signUpNamed('eve'))],
  [() => addPasskey(eve.browser, newAuthenticator(), { tamper: { credentialId: idOf(phone) } }), 'eve passkey.add, refused (passkey_already_registered), user eve'],
  // Bob uses a password for a while.
  [() => passwords.addPassword(bob.browser), 'bob password.add, user bob'],
  [() => passwords.logInByPassword(service.browser(), bob, wrongPassword), 'anonymous password.login, refused (password_wrong), user bob'],
  [() => passwords.logInByPassword(service.browser(), { username: 'nobody-at-all' }), 'anonymous password.login, refused (username_unknown)'],
  [() => passwords.stepUpByPassword(bob.browser), 'bob password.stepup, refused (passkey_required), user bob'],
  [() => passwords.addPassword(bob.browser, otherPassword), 'bob password.replace, user bob'],
  [() => passwords.removePassword(bob.browser), 'bob password.remove, user bob'],
  [() => stepUp(bob.browser, bob.authenticator), 'bob passkey.stepup, passkey Passkey (bob)'],
  [async () => bob.browser.delete(await devicePath(bob.browser, 'Passkey')), 'bob passkey.remove, refused (last_credential), passkey Passkey'],
  // Ada invites an admin.
  [() => authority.postInvitation(carol.browser), 'carol invitation.create, refused (role_too_low)'],
  [async () => { token = await authority.invite(ada, { username: 'bob' }); }, 'ada invitation.create, invitation for bob (bob)'],
  [() => service.browser().post(`${authority.invitationsPath}/preview`, { token })],
  [() => authority.accept(carol.browser, token), 'carol invitation.accept, refused (invitation_for_another_user), invitation for bob (bob)'],
  [() => authority.accept(bob.browser, token), 'bob invitation.accept, invitation for bob (bob)'],
  [() => authority.postInvitation(ada, { username: 'bob' }), 'ada invitation.create, refused (role_already_held), user bob'],
  [async () => { token = await authority.invite(ada); }, 'ada invitation.create, invitation for anybody'],
  [async () => ada.delete(await invitationPath(0)), 'ada invitation.revoke, invitation for anybody'],
  [() => authority.accept(carol.browser, token), 'carol invitation.accept, refused (invitation_unusable), invitation for anybody'],
  [() => carol.browser.get(authority.invitationsPath), 'carol invitation.list, refused (role_too_low)'],
  [async () => ops().invitations.create(), 'operator ops invitation.create, invitation for anybody'],
  [async () => ada.delete(await invitationPath(1))],
  // Bob creates an organization.
  [() => carol.browser.post(authority.organizationsPath, { name: 'Mine' }), 'carol organization.create, refused (role_too_low)'],
  [async () => { acme = await authority.found(bob.browser, { name: 'Acme', slug: 'acme' }); }, 'bob organization.create, organization acme (Acme), in acme'],
  [() => bob.browser.patch(`${authority.organizationsPath}/${acme.id}`, { name: 'Acme Ltd' }), 'bob organization.update, organization acme (Acme Ltd), in acme'],
  [() => authority.postMember(bob.browser, acme, carol), 'bob member.add, refused (role_too_low), organization acme (Acme Ltd), in acme'],
  [async () => { invitationId = await inviteToAcme('carol'); }, 'bob organization_invitation.create, invitation for carol (carol), in acme'],
  [() => authority.inviteTo(bob.browser, acme, { username: 'carol' }), 'bob organization_invitation.create, refused (already_invited), user carol, in acme'],
  [() => authority.inviteTo(bob.browser, acme, { username: 'not-here' }), 'bob organization_invitation.create, refused (username_unknown), user (not-here), in acme'],
  [() => eve.browser.post(`/auth/invitations/${invitationId}/accept`), 'eve organization_invitation.accept, refused (invitation_unknown), invitation for carol'],
  [() => carol.browser.post(`/auth/invitations/${invitationId}/decline`), 'carol organization_invitation.decline, invitation for carol (carol), in acme'],
  [() => carol.browser.post(`/auth/invitations/${invitationId}/accept`), 'carol organization_invitation.accept, refused (invitation_unusable), invitation for carol (carol), in acme'],
  [async () => { invitationId = await inviteToAcme('carol'); }, 'bob organization_invitation.create, invitation for carol (carol), in acme'],
  [() => carol.browser.post(`/auth/invitations/${invitationId}/accept`), 'carol organization_invitation.accept, invitation for carol (carol), in acme'],
  [async () => { invitationId = await inviteToAcme(); }, 'bob organization_invitation.create, invitation for anybody, in acme'],
  [() => bob.browser.delete(`${authority.organizationsPath}/${acme.id}/invitations/${invitationId}`), 'bob organization_invitation.revoke, invitation for anybody, in acme'],
  [() => authority.postMember(ada, acme, dave), 'ada member.add, user dave, in acme'],
  [() => authority.postMember(ada, acme, dave), 'ada member.add, refused (already_a_member), user dave, in acme'],
  [() => authority.postMember(eve.browser, acme, eve), 'eve member.add, refused (not_a_member), organization acme (Acme Ltd), in acme'],
  [() => bob.browser.patch(member(carol), { role: 'admin' }), 'bob member.change_role, user carol, in acme'],
  [() => dave.browser.delete(member(carol)), 'dave member.remove, refused (not_an_organization_admin), organization acme (Acme Ltd), in acme'],
  // Dave has lost his phone, and Bob creates a recovery link.
  [() => bob.browser.get(userPath(eve)), 'bob user.get, refused (not_of_their_organizations), user eve'],
  [async () => { link = (await bob.browser.post(`${userPath(dave)}/recovery`)).body.token; }, 'bob recovery_link.create, user dave, in acme'],
  [() => recovery.useLink(service.browser(), 'not a token'), 'anonymous recovery_link.use, refused (link_unknown_or_used)'],
  [() => { side = service.browser(); return recovery.useLink(side, link); }, 'dave recovery_link.use, user dave'],
  [async () => {
    const { body } = await recovery.completeRecovery(side, { label: 'New phone' }, newKey);
    codes = body.recoveryCodes.codes;
  }, 'dave passkey.add, passkey New phone', 'dave passkey.remove, passkey Passkey', 'dave recovery_code.generate, user dave', 'dave recovery.complete, user dave'],
  [async () => { codes = await recovery.generateCodes(side); }, 'dave recovery_code.generate, user dave'],
  [() => recovery.useCode(service.browser(), dave, '22222-22222-22222-22222'), 'anonymous recovery_code.use, refused (code_unknown), user dave'],
  [() => recovery.useCode(service.browser(), dave, codes[0]), 'dave recovery_code.use, user dave'],
  [() => recovery.useCode(service.browser(), dave, codes[0]), 'anonymous recovery_code.use, refused (code_used), user dave'],
  [() => recovery.revokeCodes(side), 'dave recovery_code.revoke, user dave'],
  [() => side.delete('/auth/session'), 'dave session.logout, session of dave'],
  [() => recovery.createLink(service, carol), 'operator ops recovery_link.create, user carol'],
  [() => recovery.cancelLink(carol.browser), 'carol recovery_link.cancel, user carol'],
  [() => recovery.cancelLink(carol.browser)],
  [() => recovery.createLink(service, carol), 'operator ops recovery_link.create, user carol'],
  [() => ops().users.cancelRecoveryLink('carol'), 'operator ops recovery_link.cancel, user carol'],
  // Sessions end.
  [() => { side = service.browser(); return logIn(side, carol.authenticator); }, 'carol passkey.login, passkey Passkey (carol)'],
  [async () => {
    const { sessions } = (await carol.browser.get('/auth/sessions')).body;
    await carol.browser.delete(`/auth/sessions/${sessions.find((session: { current: boolean }) => !session.current).id}`);
  }, 'carol session.revoke, session of carol'],
  [() => carol.browser.delete('/auth/sessions'), 'carol session.revoke_others, user carol'],
  [() => { side = service.browser(); return logIn(side, carol.authenticator); }, 'carol passkey.login, passkey Passkey (carol)'],
  [() => authority.endSessionOf(ada, side), 'ada user.end_session, user carol'],
  [() => bob.browser.delete(`${userPath(carol)}/sessions`), 'bob user.end_sessions, refused (no_plain_user), user carol, in acme'],
  [() => ada.delete(`${userPath(carol)}/sessions`), 'ada user.end_sessions, user carol'],
  [() => bob.browser.delete(`${userPath(bob)}/sessions`), 'bob user.end_sessions, refused (oneself), user bob, in acme'],
  [async () => {
    await fillSessions(service.database.sql, userIdOf(carol));
    await logIn(carol.browser, carol.authenticator);
  }, 'carol session.end_oldest, user carol', 'carol passkey.login, passkey Passkey (carol)'],
  // Ada changes roles and disables accounts.
  [() => authority.changeRole(bob.browser, dave, 'admin'), 'bob user.change_role, refused (role_too_low), user dave'],
  [() => authority.changeRole(ada, dave, 'admin'), 'ada user.change_role, user dave'],
  [() => authority.disable(ada, dave), 'ada user.disable, user dave'],
  [() => logIn(service.browser(), newKey), 'dave passkey.login, refused (user_disabled), passkey New phone (dave)'],
  [() => authority.enable(ada, dave), 'ada user.enable, user dave'],
  [async () => ada.put(`${authority.usersPath}/${await adaId()}/role`, { role: 'user' }), 'ada user.change_role, refused (last_superadmin), user ada'],
  [() => refused(ops().users.disable('ada')), 'operator ops user.disable, refused (last_superadmin), user ada'],
  [() => ada.get(authority.usersPath)],
  // Profiles change. Usernames cannot.
  [() => eve.browser.patch('/auth/account', { displayName: 'Eve E.' }), 'eve account.update, user eve'],
  [() => eve.browser.put('/auth/account/username', { username: 'evelyn' }), 'eve account.rename, refused (username_change_not_allowed), user eve'],
  [() => ada.patch(userPath(eve), { displayName: 'Eve' }), 'ada user.update, user eve'],
  [() => ada.put(`${userPath(eve)}/username`, { username: 'evelyn' }), 'ada user.rename, refused (username_change_not_allowed), user eve'],
  // Eve sends requests without the required role.
  [() => eve.browser.get(authority.usersPath), 'eve user.list, refused (role_too_low)'],
  [() => eve.browser.get(userPath(bob)), 'eve user.get, refused (role_too_low), user bob'],
  [() => eve.browser.get(authority.auditPath), 'eve audit.list, refused (role_too_low)'],
  [() => eve.browser.get(exportPath), 'eve audit.export, refused (role_too_low)'],
  [() => eve.browser.get('/auth/admin/overview'), 'eve overview.get, refused (role_too_low)'],
  [() => eve.browser.get('/auth/admin/webhooks'), 'eve webhook.list, refused (role_too_low)'],
  [() => eve.browser.post(`/auth/admin/webhooks/${longGone}/test`), 'eve webhook.test, refused (role_too_low), webhook unknown'],
  [() => authority.deleteUser(eve.browser, bob), 'eve user.delete, refused (role_too_low), user bob'],
  [async () => { copied = counting.clone(); await logIn(eve.browser, counting); }, 'eve passkey.login, passkey Passkey (eve)'],
  [() => logIn(eve.browser, copied), 'eve passkey.clone_suspected, refused (counter_not_increased), passkey Passkey (eve)'],
  // Memberships, the organization and accounts end.
  [() => authority.leaveOrganization(carol.browser, acme), 'carol member.leave, user carol, in acme'],
  [() => bob.browser.delete(member(dave)), 'bob member.remove, user dave, in acme'],
  [() => authority.leaveOrganization(bob.browser, acme), 'bob member.leave, refused (last_organization_admin), user bob, in acme'],
  [() => bob.browser.delete(`${authority.organizationsPath}/${acme.id}`), 'bob organization.delete, organization acme (Acme Ltd), in acme'],
  [() => carol.browser.delete('/auth/account'), 'carol account.delete, user carol'],
  [() => authority.deleteUser(ada, dave), 'ada user.delete, user dave'],
  [() => ops().users.delete('eve'), 'operator ops user.delete, user eve'],
  // An account that was deleted before this day, so the erasure changes no event of the day.
  [async () => {
    const { sql } = service.database;
    await sql`update latchkey.secrets set secret = 'secret of the day' where name = 'pseudonyms'`;
    await sql`
      insert into latchkey.users (id, username, user_handle, status, created_at, deleted_at)
      values (${longGone}, 'zoe', 'a handle', 'disabled', '2004-01-01Z', '2004-01-02Z')`;
    await ops().users.erase(longGone);
  }, 'operator ops user.erase, user unknown (erased:30e4383be365acb3)'],
  // Support: users of another system move in, and an operator uses the account of one of them.
  [() => ops().users.create({ username: 'ivy' }), 'operator ops user.create, user ivy'],
  [() => ops().users.import([{ username: 'jan' }]), 'operator ops user.import, user jan'],
  [async () => {
    for await (const _ of await ops().users.export({ username: 'ivy' }));
  }, 'operator ops user.export, user ivy'],
  [async () => {
    const { url } = await ops().users.impersonate('ivy', { reason: 'Ticket 4711' });
    token = url.split('#token=')[1] ?? '';
    secrets.add(token);
  }, 'operator ops impersonation.create_link, user ivy'],
  [async () => {
    support = service.browser();
    await support.post('/auth/impersonation', { token });
  }, 'operator ops impersonation.start, user ivy'],
  [() => support.delete('/auth/session'), 'ivy impersonation.end, session of ivy'],
  [() => ada.get(exportPath), 'ada audit.export'],
  // Webhooks send events to another system.
  [() => ops().webhooks.create({ name: 'siem', url: 'https://siem.example.com/' }), 'operator ops webhook.create, webhook siem'],
  [() => ops().webhooks.update('siem', { events: ['user.'] }), 'operator ops webhook.update, webhook siem'],
  [() => ops().webhooks.rotateSecret('siem'), 'operator ops webhook.rotate_secret, webhook siem'],
  [() => ops().webhooks.pause('siem'), 'operator ops webhook.pause, webhook siem'],
  [() => ops().webhooks.resume('siem'), 'operator ops webhook.resume, webhook siem'],
  [() => ops().webhooks.delete('siem'), 'operator ops webhook.delete, webhook siem'],
  // Housekeeping releases the usernames of accounts that were deleted long ago, and deletes old events.
  [async () => {
    const { sql } = service.database;
    await sql`update latchkey.users set deleted_at = '2004-01-01Z' where username = 'dave'`;
    await sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (gen_random_uuid(), '2004-01-01Z', 'session.logout', 'success', 'anonymous', '{}')`;
    await sequence(sql);
    await removeExpired(runtimeOf(service.auth));
  }, 'system user.release_username, user dave', 'system user.release_username, user', 'system audit.prune'],
  // The owner of the database changes the minimum retention of the log.
  [() => changeAuditMinimum(runtimeOf(service.auth).db, 180, 'ops'), 'operator ops audit.change_minimum'],
  [async () => {
    const { sql } = service.database;
    await sql`create table public.kept_sessions as select * from latchkey.sessions`;
    await ops().users.endAllSessions();
    // The tests below use the sessions of the day.
    await sql`insert into latchkey.sessions select * from public.kept_sessions`;
    await sql`drop table public.kept_sessions`;
  }, 'operator ops user.end_all_sessions'],
  [() => ops().audit.startNewLog({ reason: 'restored a backup' }), 'operator ops audit.new_log'],
];

test('the log contains exactly the events of each step of the day, in order', () => {
  expect(steps.length).toBeGreaterThan(40);
  const actual = steps.map(({ act, rows }) => ({ act, lines: rows.map((row) => lineOf(row, names)) }));
  expect(actual).toEqual(steps.map(({ act, lines }) => ({ act, lines })));
});

test('a listener to all events receives each event of the day once, in the order of the log and with the same content', async () => {
  const { events: items } = await ops().audit.list({ limit: 200 });
  await eventually(() => received.length >= items.length);
  expect(items.length).toBeGreaterThan(80);
  expect(received).toEqual(items.toReversed());
});

test('the day covers every event name', () => {
  const seen = new Set(steps.flatMap(({ rows }) => rows.map(({ event }) => event)));
  // Only the sender of webhooks records it, after a response with the status 410 (webhooks-delivery.test.ts).
  expect([...auditEventNames].filter((event) => !seen.has(event))).toEqual(['webhook.disable']);
});

/** Events that are missing from the lists of some users that they are about, each with the reason. */
const notInOwnLog: Readonly<Record<string, string>> = {
  'invitation.accept': 'another user, who cannot accept the invitation, has tried to accept it',
  'invitation.create': 'an invitation changes nothing before the user accepts it',
  'organization.create': 'the creator is the only member',
  'organization.delete': 'about the organization, not about its members',
  'organization.update': 'about the organization, not about its members',
  'organization_invitation.accept': 'another user has tried to accept the invitation',
  'organization_invitation.create': 'an invitation changes nothing before the user accepts it',
};

test('every event about a user has the user as its actor or its target, with the listed exceptions', () => {
  const missing = new Set<string>();
  for (const { event, outcome, actor_id, target_type, target_id } of steps.flatMap(({ rows }) => rows)) {
    // If an attempt in an organization is refused, the organization itself is the target.
    if (target_id === null || (target_type === 'organization' && outcome === 'failure')) continue;
    for (const userId of concerned.get(target_id) ?? [])
      if (actor_id !== userId && target_id !== userId) missing.add(event);
  }
  expect([...missing].sort()).toEqual(Object.keys(notInOwnLog));
});

test('the list of own events of a user contains every event with the user as its actor or its target', async () => {
  const { events } = (await ada.get('/auth/account/events?limit=200')).body;
  const id = await adaId();
  const rows = steps.flatMap((entry) => entry.rows);
  const expected = rows.filter((row) => row.actor_id === id || row.target_id === id);
  expect(expected.length).toBeGreaterThan(20);
  expect(events.map((event: AuditEvent) => event.id)).toEqual(expected.map((row) => row.id).toReversed());
});

test('every event of the day matches the schema of its name', async () => {
  const { events } = await ops().audit.list({ limit: 200 });
  expect(events.length).toBeGreaterThan(80);
  expect(faultsOf(events)).toEqual([]);
});

test('events have the same order by time and by id', async () => {
  const rows = steps.flatMap((entry) => entry.rows);
  expect((await service.auditRows()) as DayRow[]).toEqual(rows);
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
});

test('every event has a request id and an IP address, except the events of operators and of the service', () => {
  for (const { rows } of steps) {
    for (const row of rows) {
      // An operator uses the link of an impersonation in a browser.
      const inBrowser = row.actor_type !== 'operator' || row.event === 'impersonation.start';
      const isOfRequest = inBrowser && row.actor_type !== 'system';
      expect(row.ip).toBe(isOfRequest ? '127.0.0.1' : null);
      expect(row.request_id).toEqual(isOfRequest ? expect.stringMatching(/^[\da-f-]{36}$/) : null);
      expect(row.at).toBeInstanceOf(Date);
    }
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBeLessThanOrEqual(1);
  }
});

test('control characters are removed from the User-Agent', () => {
  const userAgentsOf = (name: string) =>
    new Set(
      steps.flatMap(({ rows }) => rows.filter((row) => row.actor_name === name).map((row) => row.user_agent)),
    );
  expect(userAgentsOf('eve')).toEqual(new Set(['OddBrowser 31mred 1.0']));
  expect(userAgentsOf('bob')).toEqual(new Set(['node']));
  const text = JSON.stringify(steps.map(({ rows }) => rows));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these characters
  expect(text).not.toMatch(/\\[nrtbfu]|[\u0000-\u001f\u007f-\u009f]/);
});

test('no event contains a secret', () => {
  expect(secrets.size).toBeGreaterThan(100);
  const text = JSON.stringify(steps.map(({ rows }) => rows));
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(12);
    for (const form of [secret, secret.replaceAll('-', ''), secret.toLowerCase()]) {
      expect(text.includes(form), form).toBe(false);
    }
  }
});
