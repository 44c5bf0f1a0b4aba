import type { Answer, TestAgent } from '../../support/agent.ts';
import { newAuthenticator, newUsername, type Person, userIdOf } from '../../support/person.ts';
import type { CallerName, Row } from './authorization-table.ts';
import type { AskingPerson, World } from './authorization-world.ts';
import { createImpersonationLink, reason } from './impersonation.ts';
import { otherPassword, password } from './passwords.ts';
import { createLink, generateCodes } from './recovery.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const malformedId = 'not-an-id';

/** Values for the parameters of a path, such as `:id` and `:userId`. */
export type Ids = Record<string, string>;
type IdsOf = (world: World, asker: AskingPerson) => Ids[];

const orUnknown = (ids: (id: string) => Ids): IdsOf => {
  const both = [unknownId, malformedId].map(ids);
  return () => both;
};
const passkeys: Record<string, IdsOf> = {
  own: (_, { person }) => [{ id: person.signedUp.body.passkey.id }],
  foreign: ({ newcomer }) => [{ id: newcomer.signedUp.body.passkey.id }],
  unknown: orUnknown((id) => ({ id })),
};
const sessions: Record<string, IdsOf> = {
  own: (_, { person }) => [{ id: person.signedUp.body.session.id }],
  foreign: ({ newcomer }) => [{ id: newcomer.signedUp.body.session.id }],
  unknown: orUnknown((id) => ({ id })),
};
const invitations: Record<string, IdsOf> = {
  pending: ({ invitation }) => [{ id: invitation.id }],
  // An admin invitation.
  foreign: ({ invitation }) => [{ id: invitation.id }],
  // The user invitation of the caller `admin`.
  mixed: ({ userInvitation }) => [{ id: userInvitation.id }],
  unknown: orUnknown((id) => ({ id })),
};
const webhooks: Record<string, IdsOf> = {
  known: ({ webhook }) => [{ id: webhook.id }],
  unknown: orUnknown((id) => ({ id })),
};
const users: Record<string, IdsOf> = {
  inside: ({ insider }) => [{ id: userIdOf(insider) }],
  outside: ({ outsider }) => [{ id: userIdOf(outsider) }],
  none: ({ newcomer }) => [{ id: userIdOf(newcomer) }],
  equal: ({ colleague }) => [{ id: userIdOf(colleague) }],
  higher: ({ otherSuperadmin }) => [{ id: userIdOf(otherSuperadmin) }],
  self: (_, { person }) => [{ id: userIdOf(person) }],
  unknown: orUnknown((id) => ({ id })),
};
const sessionOf = (person: Person): Ids => ({
  id: userIdOf(person),
  sessionId: person.signedUp.body.session.id,
});
const sessionsOfUsers: Record<string, IdsOf> = {
  inside: ({ insider }) => [sessionOf(insider)],
  outside: ({ outsider }) => [sessionOf(outsider)],
  none: ({ newcomer }) => [sessionOf(newcomer)],
  equal: ({ colleague }) => [sessionOf(colleague)],
  higher: ({ otherSuperadmin }) => [sessionOf(otherSuperadmin)],
  self: (_, { person }) => [sessionOf(person)],
  // The session belongs to one user, but the path names another.
  mixed: ({ insider, newcomer }) => [{ ...sessionOf(newcomer), id: userIdOf(insider) }],
  absent: ({ insider }) =>
    [unknownId, malformedId].map((sessionId) => ({ id: userIdOf(insider), sessionId })),
  unknown: ({ insider }) => [unknownId, malformedId].map((id) => ({ ...sessionOf(insider), id })),
};
const organizations: Record<string, IdsOf> = {
  here: ({ here }) => [{ id: here.id }],
  link: ({ here }) => [{ id: here.id }],
  there: ({ there }) => [{ id: there.id }],
  unknown: orUnknown((id) => ({ id })),
};
const members: Record<string, IdsOf> = {
  here: ({ here, insider }) => [{ id: here.id, userId: userIdOf(insider) }],
  there: ({ there, outsider }) => [{ id: there.id, userId: userIdOf(outsider) }],
  // The user is a member of one organization, but the path names another.
  mixed: ({ here, outsider }) => [{ id: here.id, userId: userIdOf(outsider) }],
  self: ({ here }, { person }) => [{ id: here.id, userId: userIdOf(person) }],
  absent: ({ here }) => [unknownId, malformedId].map((userId) => ({ id: here.id, userId })),
  unknown: ({ insider }) => [unknownId, malformedId].map((id) => ({ id, userId: userIdOf(insider) })),
};

const offers: Record<string, IdsOf> = {
  here: ({ here, offers }) => [{ id: here.id, invitationId: offers.here.id }],
  there: ({ there, offers }) => [{ id: there.id, invitationId: offers.there.id }],
  // The invitation belongs to one organization, but the path names another.
  mixed: ({ here, offers }) => [{ id: here.id, invitationId: offers.there.id }],
  absent: ({ here }) => [unknownId, malformedId].map((invitationId) => ({ id: here.id, invitationId })),
  unknown: ({ offers }) => [unknownId, malformedId].map((id) => ({ id, invitationId: offers.here.id })),
};
const received: Record<string, IdsOf> = {
  own: ({ offers }, { person }) => [{ id: `${offers.to.get(person.username)}` }],
  foreign: ({ offers }) => [{ id: offers.here.id }],
  link: ({ offers }) => [{ id: offers.link.id }],
  unknown: orUnknown((id) => ({ id })),
};

const logs: Record<string, IdsOf> = { unknown: orUnknown((log) => ({ log, level: '0' })) };
const auditEvents: Record<string, IdsOf> = { unknown: orUnknown((id) => ({ id })) };

/** The possible targets of each path. The first pattern that matches applies. */
const idsIn: [path: RegExp, targets: Record<string, IdsOf>][] = [
  [/\/passkey\/devices\/:id/, passkeys],
  [/\/sessions\/:id/, sessions],
  [/\/admin\/(user-)?invitations\/:id/, invitations],
  [/\/users\/:id\/sessions\/:sessionId/, sessionsOfUsers],
  [/\/admin\/webhooks\/:id/, webhooks],
  [/\/admin\/users\/:id/, users],
  [/\/admin\/audit\/:id/, auditEvents],
  [/\/audit-log\/:log/, logs],
  [/\/members\/:userId/, members],
  [/\/invitations\/:invitationId/, offers],
  [/\/auth\/invitations\/:id/, received],
  [/\/organizations\/:id/, organizations],
];

/**
 * The ids to put into the path for one row of the table in `authorization-table.ts`. Each element is for a separate
 * request.
 */
export function idsOf({ route, target }: Pick<Row, 'route' | 'target'>, world: World, caller: CallerName) {
  const targets = idsIn.find(([path]) => path.test(route))?.[1];
  if (!targets) return [{}];
  const ids = targets[target.replace('+', '')];
  if (!ids) throw new Error(`unknown target ${target} of ${route}`);
  return ids(world, world.askers[caller]);
}

type BodyOf = (browser: TestAgent, asker: AskingPerson, world: World) => object | Promise<object>;

/** The options of a started ceremony, or undefined if starting it is rejected. */
const start = async (browser: TestAgent, path: string, body: object) =>
  (await browser.post(`/auth/passkey/${path}`, body)).body.options;

const assertion =
  (path: string): BodyOf =>
  async (browser, { person }) => {
    const options = await start(browser, path, {});
    return options ? { credential: await person.authenticator.get(options) } : {};
  };
const attestation =
  (path: string, body: () => object): BodyOf =>
  async (browser) => {
    const options = await start(browser, path, body());
    return options ? { credential: await newAuthenticator().create(options) } : {};
  };

/** A valid body for each endpoint. Requests to other endpoints have no body. */
const bodies: Record<string, BodyOf> = {
  'POST /auth/passkey/register/start': () => ({ username: newUsername(), displayName: 'Somebody' }),
  'POST /auth/passkey/register/verify': attestation('register/start', () => ({ username: newUsername() })),
  'POST /auth/passkey/login/start': (_, { person: { username } }) => ({ username }),
  'POST /auth/passkey/login/verify': assertion('login/start'),
  'POST /auth/passkey/stepup/verify': assertion('stepup/start'),
  'POST /auth/passkey/devices/add start': () => ({}),
  // A conditional create requires a session that was just opened with a password. No caller has such a session.
  'POST /auth/passkey/devices/add quiet': () => ({ conditional: true }),
  'POST /auth/passkey/devices/add finish': attestation('devices/add', () => ({})),
  'PATCH /auth/passkey/devices/:id': () => ({ label: 'A new label' }),
  'POST /auth/password/login': (_, { person: { username } }) => ({ username, password }),
  'POST /auth/password/stepup only': async (_, { person }, { service }) => {
    await service.run('delete from latchkey.passkeys where user_id = $1', [userIdOf(person)]);
    return { password };
  },
  'POST /auth/password/stepup both': () => ({ password }),
  'POST /auth/password/add': () => ({ password: otherPassword }),
  'POST /auth/recovery/codes/use': async (_, { person }, { service }) => ({
    username: person.username,
    code: (await generateCodes(service.browser(await freshCookies(person, service))))[0],
  }),
  'POST /auth/recovery/assisted/use': async (_, { person }, { service }) => ({
    token: (await createLink(service, person)).token,
  }),
  'DELETE /auth/recovery/assisted': async (_, { person }, { service }) => {
    await createLink(service, person);
    return {};
  },
  'POST /auth/admin/invitations': () => ({ username: newUsername(), role: 'admin', expiresInHours: 1 }),
  'POST /auth/admin/webhooks': () => ({ name: 'another', url: 'https://hooks.example.com/' }),
  'PATCH /auth/admin/webhooks/:id': () => ({ url: 'https://hooks.example.com/' }),
  'POST /auth/admin/webhooks/:id/resume': () => ({ after: 'end' }),
  'POST /auth/admin/user-invitations': () => ({ username: newUsername(), expiresInHours: 1 }),
  'POST /auth/username/availability': () => ({ username: newUsername() }),
  'POST /auth/admin/invitations/preview': presentInvitation,
  'POST /auth/admin/invitations/accept': presentInvitation,
  'PATCH /auth/account': () => ({ displayName: 'A new name' }),
  'PUT /auth/account/username': () => ({ username: newUsername('renamed') }),
  'PATCH /auth/admin/users/:id': () => ({ displayName: 'A new name' }),
  'PUT /auth/admin/users/:id/username': () => ({ username: newUsername('renamed') }),
  'PUT /auth/admin/users/:id/role': () => ({ role: 'admin' }),
  'POST /auth/admin/users/:id/impersonation': () => ({ reason }),
  'POST /auth/impersonation': async (_, __, { service, insider }) => ({
    token: await createImpersonationLink(service, insider),
  }),
  'POST /auth/organizations': () => ({ name: 'Another', slug: 'another' }),
  'PATCH /auth/organizations/:id': () => ({ name: 'Renamed', slug: 'renamed' }),
  'POST /auth/organizations/:id/members': (_, __, { newcomer: { username } }) => ({
    username,
    role: 'admin',
  }),
  'PATCH /auth/organizations/:id/members/:userId': () => ({ role: 'admin' }),
  'POST /auth/organizations/:id/invitations here': inviteNewcomer,
  'POST /auth/organizations/:id/invitations there': inviteNewcomer,
  'POST /auth/organizations/:id/invitations unknown': inviteNewcomer,
  'POST /auth/organizations/:id/invitations link': () => ({}),
  'POST /auth/invitations/preview': presentLink,
  'POST /auth/invitations/accept': presentLink,
};

function inviteNewcomer(_: TestAgent, __: AskingPerson, { newcomer: { username } }: World) {
  return { username, role: 'admin', expiresInHours: 1 };
}

async function presentLink(_: TestAgent, __: AskingPerson, { service, club }: World) {
  return { token: (await service.auth.asOperator('ops').organizations.invite(club.slug)).token };
}

async function presentInvitation(_: TestAgent, __: AskingPerson, { service }: World) {
  return { token: (await service.auth.asOperator('ops').invitations.create()).token };
}

/** Signs the user in with a new browser and returns its cookies. */
async function freshCookies({ authenticator }: AskingPerson['person'], service: World['service']) {
  const browser = service.browser();
  const credential = await authenticator.get(await start(browser, 'login/start', {}));
  await browser.post('/auth/passkey/login/verify', { credential });
  return browser.cookies;
}

const queries: Record<string, string> = {
  'GET /auth/username/availability': '?username=somebody',
};

/** Sends the prepared request. `extra` adds properties to its body. */
type Send = (extra?: object) => Promise<Answer>;

/** Prepares a request, for example by starting a ceremony. Returns a function that sends it. */
export async function prepare(
  world: World,
  { route, target }: Pick<Row, 'route' | 'target'>,
  caller: CallerName,
  ids: Ids,
): Promise<Send> {
  const asker = world.askers[caller];
  const browser = world.service.browser(asker.cookies);
  const bodyOf = bodies[route] ?? bodies[`${route} ${target}`];
  const body = bodyOf && (await bodyOf(browser, asker, world));
  const [method = '', template = ''] = route.split(' ');
  const path =
    template.replaceAll(/:(\w+)/g, (_, name: string) => `${ids[name]}`) +
    (queries[route] ?? (target.endsWith('+') ? '?include=details' : ''));
  return (extra) => {
    const content = extra ? { ...body, ...extra } : body;
    const headers: Record<string, string> = content ? { 'Content-Type': 'application/json' } : {};
    return browser.request(method, path, content ? JSON.stringify(content) : null, headers);
  };
}
