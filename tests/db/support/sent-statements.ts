import { type CreatedAccount, openSchema, type Statement, sql } from 'latchkey';
import { readEventsAfter, selectEntryAt, selectLastPosition } from '../../../src/audit/store/positions.ts';
import { selectPublishedEntries, selectPublishedTile } from '../../../src/audit/store/published.ts';
import { selectEvents, selectOfTransaction } from '../../../src/audit/store/sequence.ts';
import { releaseLease, renewLease } from '../../../src/audit/store/sequencer-lease.ts';
import { keepCosignedNote, selectErasures, selectTiles } from '../../../src/audit/store/verification.ts';
import { addWitnessed, replaceWitnessed, selectWitnessed } from '../../../src/audit/store/witnessed.ts';
import { composeDatabase } from '../../../src/db/compose-database.ts';
import { Script } from '../../../src/db/sql.ts';
import { runtimeOf } from '../../../src/service/auth-service.ts';
import { removeExpired, updateFigures } from '../../../src/service/housekeeping.ts';
import { found, help, inviteTo, memberPath, signUpAs } from '../../features/support/authority.ts';
import { idsOf, prepare } from '../../features/support/authorization-requests.ts';
import { type CallerName, rows } from '../../features/support/authorization-table.ts';
import { createWorld, type World } from '../../features/support/authorization-world.ts';
import { bootstrap, forgetEverybody, refusalOf } from '../../features/support/bootstrapping.ts';
import { prepareQuietly } from '../../features/support/conditional-create.ts';
import { foreignPasskey } from '../../features/support/imports.ts';
import {
  logInByPassword,
  signUpWithOnlyPassword,
  signUpWithPassword,
  stepUpByPassword,
  wrongPassword,
} from '../../features/support/passwords.ts';
import { completeRecovery, createLink, enterByLink } from '../../features/support/recovery.ts';
import { inviteUser, signUpWith } from '../../features/support/sign-ups.ts';
import { localWebhooks, startReceiver } from '../../features/support/webhooks.ts';
import { cookieHeader } from '../../support/cookie-header.ts';
import { eventually } from '../../support/eventually.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  newUsername,
  type Person,
  signUp,
  userIdOf,
} from '../../support/person.ts';
import { startSecondInstance } from '../../support/second-instance.ts';
import { sequence } from '../../support/sequencing.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { listQueries, organizationQueries } from './list-queries.ts';

/** Returns the texts of all statements that the service sends for all kinds of callers and operations. */
export async function sentStatements(): Promise<Set<string>> {
  const world = await createWorld();
  const service = await startTestService({
    bcryptCost: 4,
    auditRetentionDays: 90,
    deletedUsernameReleaseDays: 1,
    impersonation: true,
  });
  try {
    await askForEverything(world);
    await readEveryList(world);
    await demoteMember(world);
    await recoverByLink(world);
    await actAsOperator(world);
    const other = await runRareCases(service);
    return new Set([...world.service.statements, ...service.statements, ...other]);
  } finally {
    await world.close();
    await service.close();
  }
}

/** The service sends different statements for each of these callers. */
const callers: readonly CallerName[] = ['superadmin', 'admin', 'user', 'recovering'];

async function askForEverything(world: World): Promise<void> {
  for (const row of rows) {
    for (const caller of callers) {
      if (caller !== 'superadmin' && !row.expected[caller].startsWith('2')) continue;
      const [ids = {}] = idsOf(row, world, caller);
      await world.service.rewinding(async () => (await prepare(world, row, caller, ids))());
    }
  }
}

/** Reads each list with each filter, from the start and from a cursor. */
async function readEveryList({ service, askers, here }: World): Promise<void> {
  for (const caller of ['admin', 'superadmin'] as const) {
    const browser = service.browser(askers[caller].cookies);
    for (const query of [...listQueries, ...organizationQueries(here.id)])
      await service.rewinding(() => browser.get(`/auth${query}`));
  }
}

/** Demotes an organization admin. The requests in `authorization-requests.ts` only promote members. */
async function demoteMember({ service, askers, here, orgAdmin }: World): Promise<void> {
  const browser = service.browser(askers.admin.cookies);
  await service.rewinding(() => browser.patch(memberPath(here, orgAdmin), { role: 'user' }));
}

async function drain(records: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await records);
}

async function actAsOperator({ service, insider, newcomer, club }: World): Promise<void> {
  const { users, invitations, organizations, audit, overview } = service.auth.asOperator('ops');
  await overview();
  await users.get(insider.username);
  await service.auth.principalOf(userIdOf(insider));
  const { username } = newcomer;
  const { invitation } = await invitations.create({ username });
  const offer = await organizations.invite(club.slug, { username });
  const { record } = await foreignPasskey();
  const made = await users.create({
    username: 'made-by-ops',
    passkeys: [record],
    createdAt: '2024-01-02T03:04:05Z',
    recoveryLink: true,
  });
  for (const act of [
    () => organizations.list(),
    () => organizations.list({ sortBy: 'id' }),
    () => organizations.list({ sortBy: 'id', cursor: Buffer.from(club.id).toString('base64url') }),
    () => organizations.listMembers({ id: club.id }, { sortBy: 'id' }),
    () =>
      organizations.listMembers(
        { id: club.id },
        { sortBy: 'id', cursor: Buffer.from(userIdOf(insider)).toString('base64url') },
      ),
    () => organizations.listUnconfiguredRoles(),
    () => organizations.listInvitations(club.slug),
    () => organizations.revokeInvitation(club.slug, offer.invitation.id),
    () => organizations.invite(club.slug),
    () => organizations.addMember(club.slug, { username }),
    () => organizations.changeMemberRole(club.slug, username, 'admin'),
    () => organizations.removeMember(club.slug, username),
    () => organizations.get(club.slug),
    () => organizations.creatorOf(club.slug),
    () => organizations.create({ name: 'No members', slug: 'no-members' }),
    () => organizations.create({ name: 'One member', slug: 'one-member', admin: username }),
    () => organizations.update('one-member', { name: 'Still one member' }),
    () => organizations.delete('one-member'),
    () => invitations.create({ role: 'user' }),
    () => invitations.list({ status: 'pending' }),
    () => invitations.revoke(invitation.id),
    () => users.list({ query: 'a' }),
    () => users.byId(made.user.id),
    () => users.create({ username: 'made-without-passkey' }),
    () => users.import([{ username: 'moved-by-ops', sourceId: '42' }]),
    () => users.bySourceId('42'),
    () => users.disable(username),
    () => users.enable(username),
    () => users.endSessions(username),
    () => refusalOf(users.endSession(username, userIdOf(insider))),
    () => users.changeRole(username, 'superadmin'),
    () => users.changeRole(username, 'user'),
    () => users.createRecoveryLink(username),
    () => users.cancelRecoveryLink(username),
    () => drain(users.export({ username: insider.username })),
    () => users.impersonate(username, { reason: 'Ticket 4711' }),
    () => users.delete(username),
    () => users.erase(userIdOf(newcomer)),
    () => service.auth.asOperator('ops').secretUses(),
    () => audit.list({ event: 'user.' }),
    () => audit.export(),
    () => audit.feed({ after: 'end' }),
    () => audit.feed({ events: ['user.'] }),
    () => service.rewinding(() => users.endAllSessions()),
  ])
    await act();
}

/** Uses recovery links of every kind of creator, because the service checks each kind with a different statement. */
async function recoverByLink({ service, askers, insider }: World): Promise<void> {
  const operator = async () => (await createLink(service, insider)).token;
  const by = (caller: CallerName) => async () =>
    (await help(service.browser(askers[caller].cookies), insider)).body.token;
  for (const make of [operator, by('superadmin'), by('admin')])
    await service.rewinding(async () => {
      const browser = await enterByLink(service, await make());
      const { status, body } = await completeRecovery(browser, {
        keepPasskeys: [insider.signedUp.body.passkey.id],
      });
      if (status !== 201) throw new Error(`completing answered ${status} ${body.code}`);
    });
}

/**
 * Runs cases that need another clock, database, authenticator or configuration.
 *
 * @returns statements of other instances
 */
async function runRareCases(service: TestService): Promise<string[]> {
  const sent: string[] = [];
  const deleted = await signUp(service);
  const lastUsername = `${deleted.username}-b`;
  await service.auth.asOperator('ops').users.rename(deleted.username, lastUsername);
  await service.auth.asOperator('ops').users.countUnderOtherRules();
  await service.auth.asOperator('ops').users.delete(lastUsername);
  await service.database
    .sql`update latchkey.users set deleted_at = '2004-01-01Z' where deleted_at is not null`;
  await service.auth.asOperator('ops').users.erase(userIdOf(await signUp(service)));
  await service.database.sql`update latchkey.erased_usernames set deleted_before = '2004-01-01Z'`;
  await removeExpired(runtimeOf(service.auth));
  await updateFigures(runtimeOf(service.auth));
  await bootstrapInEveryState(service);

  const stop = service.auth.on('*', () => {});
  const authenticator = newAuthenticator({ counter: 5 });
  const person = await signUp(service, { authenticator });
  await watchSession(service, person);
  for (const either of [authenticator.clone(), authenticator]) await logIn(service.browser(), either);
  stop();
  const withoutPasskey = await signUpWithOnlyPassword(service);
  await stepUpByPassword(withoutPasskey.browser);
  await (await prepareQuietly(withoutPasskey.browser)).finish();

  const withPassword = await signUpWithPassword(service);
  const stronger = await startSecondInstance(
    service,
    { bcryptCost: 5, auditBurstThreshold: 1, lookAlikes: 'refuse', privilegedMethods: ['passkey'] },
    async (text) => {
      sent.push(text);
      // This update simulates a faster concurrent sign-in.
      if (text.includes('set counter = '))
        await service.database.sql`update latchkey.passkeys set counter = 100`;
    },
  );
  await signUp(stronger);
  await stronger.auth.asOperator('ops').users.import([{ username: 'moved-to-stronger' }]);
  await logInByPassword(stronger.browser(), withPassword);
  await stronger.browser(person.browser.cookies).delete('/auth/recovery/codes/revoke');
  await logIn(stronger.browser(), authenticator);
  // When the instance closes, it records the number of these refusals.
  for (let times = 0; times < 2; times += 1)
    await logInByPassword(stronger.browser(), withPassword, wrongPassword);
  await stronger.close();

  // The role of the service has the right to run this statement.
  const after = ({ user }: CreatedAccount) =>
    sql`delete from latchkey.recovery_links where user_id = ${user.id}`;
  const signUpOptions = { organizationInvitations: true, after };
  const storing = await startSecondInstance(service, { signUp: signUpOptions }, (text) => sent.push(text));
  await signUp(storing);
  const creator = await signUpAs(service, 'admin');
  const place = await found(creator.browser);
  for (const { token } of [
    (await inviteTo(creator.browser, place)).body,
    await service.auth.asOperator('ops').organizations.invite(place.slug),
  ])
    await signUpWith(storing, { invitation: token });
  for (const { token } of [
    await inviteUser(creator.browser),
    await service.auth.asOperator('ops').invitations.create({ role: 'user' }),
  ])
    await signUpWith(storing, { invitation: token });
  await storing.close();

  const choosing = await startSecondInstance(
    service,
    { authenticators: { roles: { admin: { deviceBound: true } } } },
    (text) => sent.push(text),
  );
  const { username } = await signUp(choosing);
  const choosingOperator = choosing.auth.asOperator('ops').users;
  await choosingOperator.changeRole(username, 'admin').catch(() => {});
  await choosingOperator.testAuthenticatorPolicy();
  await choosing.close();

  const capabilities = { user: { 'organization:read': 'managed' } } as const;
  const narrowed = await startSecondInstance(service, { capabilities }, (text) => sent.push(text));
  await narrowed.browser(person.browser.cookies).get('/auth/organizations');
  await narrowed.close();

  await service.turnClock({ minutes: 5 });
  await person.browser.get('/auth/session');
  await addPasskey(person.browser);
  await sendToWebhooks(service, (text) => sent.push(text));

  const schema = openSchema({
    query: async <Row extends object>(statement: Statement) => {
      const { text, values } = statement;
      if (!(statement instanceof Script)) sent.push(text);
      return service.database.sql.unsafe<Row[]>(text, values as never[]);
    },
  });
  await schema.readClock();
  await schema.readRole();
  await schema.migrate({ auditRetentionMinimumDays: 90 });
  await schema.migrate({ serviceRole: new URL(service.database.url).username }).catch(() => {});
  await proveEvents(service);
  await readBeforeMigration19((text) => sent.push(text));
  await orderEvents(service, (text) => sent.push(text));
  return sent;
}

/** Verifies and proves the audit log. */
async function proveEvents(service: TestService): Promise<void> {
  await sequence(service.database.sql);
  const { audit } = service.auth.asOperator('ops');
  await audit.verify();
  await audit.verify({ newest: 1 });
  const [event] = (await audit.list({ limit: 200 })).events.slice(-1);
  await audit.prove(`${event?.id}`);
  await audit.checkpoint();
  await audit.startNewLog({ reason: 'restored' });
  const runtime = runtimeOf(service.auth);
  await runtime.db.query(keepCosignedNote('localhost', ''));
  await runtime.db.query(selectErasures(['erased:0123456789abcdef']));
  await runtime.db.query(selectTiles([{ level: 0, n: 0 }]));
  const witnessed = { origin: 'logs.example/a', size: 1, root: '', note: '' };
  await runtime.db.query(selectWitnessed(witnessed.origin));
  await runtime.db.query(addWitnessed(witnessed));
  await runtime.db.query(replaceWitnessed({ size: '1', root: '' }, witnessed));
  await runtime.db.query(selectPublishedTile('localhost', { level: 0, n: 0 }));
  await runtime.db.query(selectPublishedEntries('localhost', 0, 256));
}

/** Sends events to receivers that accept them and that do not, with and without a filter. */
async function sendToWebhooks(service: TestService, onSent: (text: string) => void): Promise<void> {
  const receiver = await startReceiver();
  const gone = await startReceiver();
  gone.answer((response) => response.writeHead(410).end());
  const sender = await startSecondInstance(service, localWebhooks, onSent);
  const { webhooks, users } = sender.auth.asOperator('ops');
  const create = (name: string, url = receiver.url, more: object = {}) =>
    webhooks.create({ name, url, ...more });
  const { webhook } = await create('accepting', receiver.url, { events: ['user.'] });
  await webhooks.resume(webhook.name, { after: 'start' });
  await create('idle', receiver.url, { events: ['member.leave'] });
  await create('failing', 'http://127.0.0.1:1/');
  await create('gone', gone.url);
  await create('unreadable');
  await service.database.sql`update latchkey.webhooks set secret = 'x' where name = 'unreadable'`;
  await users.create({ username: newUsername() });
  await sequence(service.database.sql);
  const states = {
    accepting: 'active',
    idle: 'active',
    failing: 'active',
    gone: 'disabled',
    unreadable: 'paused',
  };
  await eventually(async () => {
    const all = await webhooks.list();
    const isSettled = all.every(({ name, state }) => state === states[name as keyof typeof states]);
    const found = (wanted: string) => all.find(({ name }) => name === wanted);
    return isSettled && found('failing')?.failedAttempts === 1 && found('idle')?.cursor !== webhook.cursor;
  });
  await eventually(() => receiver.received.length > 0);
  const { cursor } = (await webhooks.list()).find(({ name }) => name === 'idle') ?? {};
  await webhooks.create({ name: 'later', url: receiver.url, after: `${cursor}` });
  await webhooks.update('accepting', { events: null });
  await webhooks.pause('accepting');
  await webhooks.test('accepting');
  await webhooks.rotateSecret('accepting');
  await webhooks.delete('accepting');
  await sender.close();
  for (const { close } of [receiver, gone]) await close();
}

/** Gives events their positions, also an event of an earlier version, and reads them. */
async function orderEvents(service: TestService, onSent: (text: string) => void): Promise<void> {
  const recorded = {
    query: async <Row extends object>({ text, values }: Statement) => {
      onSent(text);
      return [...(await service.database.sql.unsafe<Row[]>(text, values as never[]))];
    },
  };
  const db = composeDatabase(recorded);
  await service.database.sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, details, xid, salt)
    values (gen_random_uuid(), now(), 'session.logout', 'success', 'anonymous', '{}', null, null)`;
  await sequence(recorded);
  const holder = crypto.randomUUID();
  await db.query(renewLease(holder, true));
  await db.query(releaseLease(holder));
  await db.query(selectOfTransaction('1'));
  await db.query(selectEvents([holder]));
  await service.auth.asOperator('ops').audit.backlog();
  await readEventsAfter(db, null, 2);
  await readEventsAfter(db, 1n, 2, { events: ['account.signup'] });
  await db.query(selectEntryAt(0n));
  await db.query(selectLastPosition);
}

/** Reads the migrations of a database without the column `compatible_with`. */
async function readBeforeMigration19(onSent: (text: string) => void): Promise<void> {
  const schema = openSchema({
    query: async ({ text }: Statement) => {
      onSent(text);
      if (text.includes('null::integer as compatible_with')) return [];
      throw Object.assign(new Error('undefined column'), { code: '42703' });
    },
  });
  await schema.read();
}

async function bootstrapInEveryState(service: TestService): Promise<void> {
  await forgetEverybody(service);
  for (const password of [undefined, 'a wet towel in Oslo']) {
    // A second bootstrap is possible because the first account was never used.
    for (const username of ['first', 'second']) await bootstrap(service, { username, password: undefined });
    await bootstrap(service, { username: 'third', password });
    await service.database.sql`update latchkey.users set role = 'user'`;
    await refusalOf(bootstrap(service, { username: `again-${password?.length}`, password, again: true }));
    await forgetEverybody(service);
  }
}

async function watchSession({ auth, statements }: TestService, { browser }: Person): Promise<void> {
  const read = await auth.sessionOf(cookieHeader(browser));
  if (!read) throw new Error('the user has no session');
  const stop = auth.watchSession(read, () => {});
  await eventually(() => statements.some((text) => text.includes('string_to_array(')));
  stop();
}
