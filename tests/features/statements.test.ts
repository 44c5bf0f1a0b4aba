import type { OrganizationInvitation } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, newUsername, type Person, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  accept,
  changeRole,
  deleteUser,
  disable,
  enable,
  found,
  help,
  invitationsPath,
  invite,
  inviteTo,
  memberPath,
  organizationsPath,
  postInvitation,
  postMember,
  signUpAs,
  signUpMember,
  usersPath,
} from './support/authority.ts';
import { addPassword, logInByPassword, password } from './support/passwords.ts';
import { createLink, generateCodes, useCode } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const unknownId = '00000000-0000-7000-8000-000000000000';
const devices = '/auth/passkey/devices';

/** A request that is ready to send. The statements of its preparation are not counted. */
interface Prepared {
  send(): Promise<Answer>;
  status: number;
}
type Prepare = (person: Person) => Promise<Prepared>;

const ready = (status: number, send: () => Promise<Answer>): Prepared => ({ status, send });

async function finishing(
  browser: TestAgent,
  path: string,
  input: object,
  respond: (options: never) => Promise<object>,
): Promise<object> {
  const answer = await browser.post(path, input);
  return respond(answer.body.options as never);
}

const signUpVerify =
  (status: number, tamper = {}): Prepare =>
  async () => {
    const browser = service.browser();
    const input = { username: newUsername() };
    const credential = await finishing(browser, '/auth/passkey/register/start', input, (options) =>
      newAuthenticator().create(options, tamper),
    );
    return ready(status, () => browser.post('/auth/passkey/register/verify', { credential }));
  };

const logInVerify =
  (status: number, tamper = {}): Prepare =>
  async ({ authenticator, browser }) => {
    const credential = await finishing(browser, '/auth/passkey/login/start', {}, (options) =>
      authenticator.get(options, tamper),
    );
    return ready(status, () => browser.post('/auth/passkey/login/verify', { credential }));
  };

const stepUpVerify =
  (status: number, tamper = {}): Prepare =>
  async ({ authenticator, browser }) => {
    const credential = await finishing(browser, '/auth/passkey/stepup/start', {}, (options) =>
      authenticator.get(options, tamper),
    );
    return ready(status, () => browser.post('/auth/passkey/stepup/verify', { credential }));
  };

const addFinish =
  (status: number, tamper = {}, begun = {}): Prepare =>
  async ({ browser }) => {
    const credential = await finishing(browser, `${devices}/add`, begun, (options) =>
      newAuthenticator().create(options, tamper),
    );
    return ready(status, () => browser.post(`${devices}/add`, { credential }));
  };

const wrongOrigin = { clientData: { origin: 'https://evil.example' } };
const spareOf = async ({ browser }: Person): Promise<string> => (await addPasskey(browser)).body.device.id;
const sessionElsewhere = async ({ authenticator }: Person): Promise<string> =>
  (await logIn(service.browser(), authenticator)).body.session.id;

const bySuperadmin =
  (status: number, send: (superadmin: Person, person: Person) => Promise<Answer>): Prepare =>
  async (person) => {
    const superadmin = await signUpAs(service, 'superadmin');
    return ready(status, () => send(superadmin, person));
  };

/** A request by the organization admin of a new organization that has one other member. */
const inOrganization =
  (
    status: number,
    send: (
      browser: TestAgent,
      organization: { id: string },
      person: Person,
      member: Person,
    ) => Promise<Answer>,
  ): Prepare =>
  async (person) => {
    const { browser } = await signUpAs(service, 'admin');
    const organization = await found(browser);
    const member = await signUpMember(service, browser, organization);
    return ready(status, () => send(browser, organization, person, member));
  };

const joinPath = '/auth/invitations';

/** A request that is sent after the organization admin of a new organization has invited the user. */
function withInvitation(
  status: number,
  send: (invitation: OrganizationInvitation, person: Person, admin: TestAgent) => Promise<Answer>,
): Prepare {
  return async (person) => {
    const { browser } = await signUpAs(service, 'admin');
    const { username } = person;
    const { invitation } = (await inviteTo(browser, await found(browser), { username })).body;
    return ready(status, () => send(invitation, person, browser));
  };
}

/** A request with the token of an invitation link to a new organization. */
function withInvitationLink(
  status: number,
  send: (token: string, person: Person) => Promise<Answer>,
): Prepare {
  return async (person) => {
    const { browser } = await signUpAs(service, 'admin');
    const { token } = (await inviteTo(browser, await found(browser))).body;
    return ready(status, () => send(token, person));
  };
}

const withPassword =
  (prepare: Prepare): Prepare =>
  async (person) => {
    await addPassword(person.browser);
    return prepare(person);
  };
const withOnlyPassword = (prepare: Prepare): Prepare =>
  withPassword(async (person) => {
    await person.browser.delete(`${devices}/${person.signedUp.body.passkey.id}`);
    await logInByPassword(person.browser, person);
    return prepare(person);
  });
const passwordLogin =
  (status: number, typed = password): Prepare =>
  async (person) =>
    ready(status, () => logInByPassword(service.browser(), person, typed));

const codeUse =
  (status: number, typed?: string): Prepare =>
  async (person) => {
    const [code] = await generateCodes(person.browser);
    return ready(status, () => useCode(service.browser(), person, typed ?? code));
  };
const link = async (person: Person): Promise<string> => (await createLink(service, person)).token;

/** Every kind of request, with the maximum number of its round trips to the database. */
const requests: [name: string, roundTrips: number, prepare: Prepare][] = [
  [
    'the availability of a username is checked',
    1,
    async () =>
      ready(200, () => service.browser().get(`/auth/username/availability?username=${newUsername()}`)),
  ],
  [
    'a sign-up starts',
    1,
    async () =>
      ready(200, () => service.browser().post('/auth/passkey/register/start', { username: newUsername() })),
  ],
  ['a sign-up finishes', 2, signUpVerify(201)],
  ['a sign-up fails', 2, signUpVerify(400, wrongOrigin)],
  [
    'a sign-in starts without a username',
    0,
    async () => ready(200, () => service.browser().post('/auth/passkey/login/start', {})),
  ],
  [
    'a sign-in starts with a username',
    1,
    async ({ username }) =>
      ready(200, () => service.browser().post('/auth/passkey/login/start', { username })),
  ],
  [
    'a sign-in starts with an unknown username',
    1,
    async () =>
      ready(200, () => service.browser().post('/auth/passkey/login/start', { username: newUsername() })),
  ],
  ['a sign-in finishes', 2, logInVerify(200)],
  ['a sign-in fails', 2, logInVerify(401, wrongOrigin)],
  [
    'a sign-in uses a removed passkey',
    2,
    async (person) => {
      await service.database.sql`
        delete from latchkey.passkeys where id = ${person.signedUp.body.passkey.id}`;
      return logInVerify(401)(person);
    },
  ],
  ['a sign-in with a forged challenge fails', 1, logInVerify(401, { clientData: { challenge: 'AAAA' } })],
  [
    'a step-up starts',
    2,
    async ({ browser }) => ready(200, () => browser.post('/auth/passkey/stepup/start', {})),
  ],
  ['a step-up finishes', 3, stepUpVerify(200)],
  ['a step-up fails', 3, stepUpVerify(401, wrongOrigin)],
  ['the passkeys are listed', 2, async ({ browser }) => ready(200, () => browser.get(devices))],
  ['adding a passkey starts', 2, async ({ browser }) => ready(200, () => browser.post(`${devices}/add`, {}))],
  [
    'the passkey signals are read',
    2,
    async ({ browser }) => ready(200, () => browser.get('/auth/passkey/signals')),
  ],
  [
    'a conditional create starts',
    2,
    withOnlyPassword(async ({ browser }) =>
      ready(200, () => browser.post(`${devices}/add`, { conditional: true })),
    ),
  ],
  [
    'a conditional create finishes',
    4,
    withOnlyPassword(addFinish(201, { flags: { up: false, uv: false } }, { conditional: true })),
  ],
  ['adding a passkey finishes', 4, addFinish(201)],
  ['adding a passkey fails', 3, addFinish(400, wrongOrigin)],
  [
    'a passkey is renamed',
    2,
    async ({ browser, signedUp }) =>
      ready(200, () => browser.patch(`${devices}/${signedUp.body.passkey.id}`, { label: 'x' })),
  ],
  [
    'a passkey is removed',
    3,
    async (person) => {
      const id = await spareOf(person);
      return ready(204, () => person.browser.delete(`${devices}/${id}`));
    },
  ],
  [
    'removing the last passkey fails',
    3,
    async ({ browser, signedUp }) =>
      ready(409, () => browser.delete(`${devices}/${signedUp.body.passkey.id}`)),
  ],
  [
    'removing an unknown passkey fails',
    // The third one waits for a standby (`awaitStandby`).
    3,
    async ({ browser }) => ready(404, () => browser.delete(`${devices}/${unknownId}`)),
  ],
  [
    'a first password is set',
    3,
    async ({ browser }) => ready(201, () => browser.post('/auth/password/add', { password })),
  ],
  [
    'a password is replaced',
    3,
    withPassword(async ({ browser }) =>
      ready(200, () => browser.post('/auth/password/add', { password: `${password}, anew` })),
    ),
  ],
  [
    'a password is removed',
    3,
    withPassword(async ({ browser }) => ready(204, () => browser.delete('/auth/password/remove'))),
  ],
  ['a password sign-in succeeds', 2, withPassword(passwordLogin(200))],
  ['a password sign-in fails', 2, withPassword(passwordLogin(401, 'not the password'))],
  ['a password sign-in to an account without a password fails', 2, passwordLogin(401)],
  [
    'a password sign-in with an unknown username fails',
    2,
    async () =>
      ready(401, () => service.browser().post('/auth/password/login', { username: newUsername(), password })),
  ],
  [
    'a password step-up succeeds',
    3,
    withOnlyPassword(async ({ browser }) =>
      ready(200, () => browser.post('/auth/password/stepup', { password })),
    ),
  ],
  [
    'recovery codes are created',
    3,
    async ({ browser }) => ready(201, () => browser.post('/auth/recovery/codes/generate')),
  ],
  [
    'recovery codes are counted',
    2,
    async ({ browser }) => ready(200, () => browser.get('/auth/recovery/codes')),
  ],
  [
    'recovery codes are revoked',
    2,
    async (person) => {
      await generateCodes(person.browser);
      return ready(204, () => person.browser.delete('/auth/recovery/codes/revoke'));
    },
  ],
  ['a recovery code is used', 2, codeUse(200)],
  ['a recovery code is rejected', 2, codeUse(401, '22222-22222-22222-22222')],
  [
    'a recovery is completed',
    5,
    async (person) => {
      const browser = service.browser();
      const [code] = await generateCodes(person.browser);
      await browser.post('/auth/recovery/codes/use', { username: person.username, code });
      return addFinish(201)({ ...person, browser });
    },
  ],
  [
    'a recovery with a link is completed',
    6,
    async (person) => {
      const browser = service.browser();
      await browser.post('/auth/recovery/assisted/use', { token: await link(person) });
      return addFinish(201)({ ...person, browser });
    },
  ],
  [
    'a recovery link is canceled',
    3,
    async (person) => {
      await link(person);
      return ready(204, () => person.browser.delete('/auth/recovery/assisted'));
    },
  ],
  [
    'a recovery link is used',
    2,
    async (person) => {
      const token = await link(person);
      return ready(200, () => service.browser().post('/auth/recovery/assisted/use', { token }));
    },
  ],
  [
    'a recovery link is rejected',
    2,
    async () => ready(401, () => service.browser().post('/auth/recovery/assisted/use', { token: 'unknown' })),
  ],
  [
    'a superadmin creates a recovery link',
    4,
    async (person) => {
      const { browser } = await signUpAs(service, 'superadmin');
      const path = `/auth/admin/users/${person.signedUp.body.user.id}/recovery`;
      return ready(201, () => browser.post(path));
    },
  ],
  [
    'a superadmin invites a user by username',
    5,
    async () => {
      const { browser } = await signUpAs(service, 'superadmin');
      return ready(201, () => postInvitation(browser, { username: newUsername() }));
    },
  ],
  ['the invitations are listed', 2, bySuperadmin(200, ({ browser }) => browser.get(invitationsPath))],
  [
    'an invitation is previewed',
    1,
    async () => {
      const token = await invite((await signUpAs(service, 'superadmin')).browser);
      return ready(200, () => service.browser().post(`${invitationsPath}/preview`, { token }));
    },
  ],
  [
    'an invitation is accepted',
    3,
    async ({ browser }) => {
      const token = await invite((await signUpAs(service, 'superadmin')).browser);
      return ready(200, () => accept(browser, token));
    },
  ],
  ['an invitation is rejected', 3, async ({ browser }) => ready(404, () => accept(browser, 'unknown'))],
  [
    'an invitation is revoked',
    3,
    async () => {
      const { browser } = await signUpAs(service, 'superadmin');
      const { id } = (await postInvitation(browser)).body.invitation;
      return ready(204, () => browser.delete(`${invitationsPath}/${id}`));
    },
  ],
  ['the users are listed', 2, bySuperadmin(200, ({ browser }) => browser.get(`${usersPath}?query=per`))],
  [
    'an admin lists the users',
    2,
    async () => {
      const { browser } = await signUpAs(service, 'admin');
      return ready(200, () => browser.get(usersPath));
    },
  ],
  ['a role is changed', 3, bySuperadmin(200, ({ browser }, person) => changeRole(browser, person, 'admin'))],
  [
    'a superadmin is demoted',
    3,
    async () => {
      const other = await signUpAs(service, 'superadmin');
      const { browser } = await signUpAs(service, 'superadmin');
      return ready(200, () => changeRole(browser, other, 'user'));
    },
  ],
  ['a user is disabled', 3, bySuperadmin(200, ({ browser }, person) => disable(browser, person))],
  [
    'a user is enabled',
    3,
    async (person) => {
      const { browser } = await signUpAs(service, 'superadmin');
      await disable(browser, person);
      return ready(200, () => enable(browser, person));
    },
  ],
  [
    'an admin creates a recovery link',
    8,
    inOrganization(201, (browser, _, __, member) => help(browser, member)),
  ],
  [
    'the sessions of a user are ended',
    4,
    bySuperadmin(200, ({ browser }, person) =>
      browser.delete(`${usersPath}/${person.signedUp.body.user.id}/sessions`),
    ),
  ],
  ['a user is deleted', 3, bySuperadmin(204, ({ browser }, person) => deleteUser(browser, person))],
  [
    'a user deletes their account',
    3,
    async ({ browser }) => ready(204, () => browser.delete('/auth/account')),
  ],
  [
    'an organization is created',
    3,
    async () => {
      const { browser } = await signUpAs(service, 'admin');
      return ready(201, () => browser.post(organizationsPath, { name: newUsername() }));
    },
  ],
  [
    'the organizations are listed',
    2,
    async ({ browser }) => ready(200, () => browser.get(organizationsPath)),
  ],
  [
    'an organization is renamed',
    3,
    inOrganization(200, (browser, { id }) =>
      browser.patch(`${organizationsPath}/${id}`, { name: 'Another' }),
    ),
  ],
  [
    'an organization is deleted',
    3,
    inOrganization(204, (browser, { id }) => browser.delete(`${organizationsPath}/${id}`)),
  ],
  [
    'the members are listed',
    3,
    inOrganization(200, (browser, { id }) => browser.get(`${organizationsPath}/${id}/members`)),
  ],
  [
    'the members are searched',
    3,
    inOrganization(200, (browser, { id }) => browser.get(`${organizationsPath}/${id}/members?query=a`)),
  ],
  [
    'a member is added',
    4,
    async (person) => {
      const { browser } = await signUpAs(service, 'superadmin');
      const organization = await found(browser);
      return ready(201, () => postMember(browser, organization, person));
    },
  ],
  [
    'a member becomes an organization admin',
    4,
    inOrganization(200, async (browser, organization, _, member) =>
      browser.patch(memberPath(organization, member), { role: 'admin' }),
    ),
  ],
  [
    'a member is removed',
    4,
    inOrganization(204, async (browser, organization, _, member) =>
      browser.delete(memberPath(organization, member)),
    ),
  ],
  [
    'the invitations to an organization are listed',
    3,
    inOrganization(200, (browser, { id }) => browser.get(`${organizationsPath}/${id}/invitations`)),
  ],
  [
    'a user is invited to an organization',
    4,
    inOrganization(201, (browser, organization, { username }) =>
      inviteTo(browser, organization, { username }),
    ),
  ],
  [
    'an invitation link to an organization is created',
    4,
    inOrganization(201, (browser, organization) => inviteTo(browser, organization)),
  ],
  [
    'an invitation to an organization is revoked',
    4,
    withInvitation(204, (invitation, _, admin) =>
      admin.delete(`${organizationsPath}/${invitation.organization.id}/invitations/${invitation.id}`),
    ),
  ],
  ['received invitations are listed', 2, async ({ browser }) => ready(200, () => browser.get(joinPath))],
  [
    'an invitation to an organization is accepted',
    3,
    withInvitation(200, ({ id }, { browser }) => browser.post(`${joinPath}/${id}/accept`)),
  ],
  [
    'an invitation to an organization is declined',
    3,
    withInvitation(204, ({ id }, { browser }) => browser.post(`${joinPath}/${id}/decline`)),
  ],
  [
    'an invitation link to an organization is previewed',
    1,
    withInvitationLink(200, (token) => service.browser().post(`${joinPath}/preview`, { token })),
  ],
  [
    'an invitation link to an organization is accepted',
    3,
    withInvitationLink(200, (token, { browser }) => browser.post(`${joinPath}/accept`, { token })),
  ],
  ['the audit log is read', 2, bySuperadmin(200, ({ browser }) => browser.get('/auth/admin/audit'))],
  ['an admin reads the audit log', 2, inOrganization(200, (browser) => browser.get('/auth/admin/audit'))],
  [
    'the audit log is exported',
    4,
    bySuperadmin(200, ({ browser }) => browser.get('/auth/admin/audit/export?event=audit.export')),
  ],
  ['the session is read', 2, async ({ browser }) => ready(200, () => browser.get('/auth/session'))],
  [
    'the session is read with the organizations of the user',
    3,
    async ({ browser }) => ready(200, () => browser.get('/auth/session?include=organizations')),
  ],
  [
    'a service token is issued',
    2,
    async ({ browser }) => ready(201, () => browser.post('/auth/session/token')),
  ],
  ['the sessions are listed', 3, async ({ browser }) => ready(200, () => browser.get('/auth/sessions'))],
  [
    'a session is ended',
    2,
    async (person) => {
      const id = await sessionElsewhere(person);
      return ready(204, () => person.browser.delete(`/auth/sessions/${id}`));
    },
  ],
  [
    'all other sessions are ended',
    3,
    async (person) => {
      await sessionElsewhere(person);
      return ready(200, () => person.browser.delete('/auth/sessions'));
    },
  ],
  ['a user signs out', 2, async ({ browser }) => ready(204, () => browser.delete('/auth/session'))],
  [
    'a visitor without a session signs out',
    0,
    async () => ready(204, () => service.browser().delete('/auth/session')),
  ],
  [
    'a visitor without a session reads the session',
    0,
    async () => ready(401, () => service.browser().get('/auth/session')),
  ],
  [
    'a request updates lastSeenAt',
    4,
    async ({ browser }) => {
      await service.turnClock({ minutes: 5 });
      return ready(200, () => browser.get('/auth/sessions'));
    },
  ],
];

/** Sends a request for a new user, and returns the statements of the request. */
async function sendFor(prepare: Prepare): Promise<string[]> {
  const { send, status } = await prepare(await signUp(service));
  service.statements.length = 0;
  expect((await send()).status).toBe(status);
  return [...service.statements];
}

const statementsSent = new Map<Prepare, Promise<[string[], string[]]>>();

/** The statements of the same request for two users. The tests of a request share them. */
function statementsOf(prepare: Prepare): Promise<[string[], string[]]> {
  const sent = statementsSent.get(prepare) ?? sendTwice(prepare);
  statementsSent.set(prepare, sent);
  return sent;
}
const sendTwice = async (prepare: Prepare): Promise<[string[], string[]]> => [
  await sendFor(prepare),
  await sendFor(prepare),
];

const changed = (statement: string): string[] =>
  [
    ...statement.matchAll(
      /\b(?:insert\s+into|update|delete\s+from|truncate|merge\s+into)\s+latchkey\.(\w+)/gi,
    ),
  ].map(([, table]) => `${table}`);
const accountTables = [
  'users',
  'passkeys',
  'sessions',
  'recovery_codes',
  'recovery_links',
  'superadmin_roster',
  'invitations',
  'organizations',
  'organization_invitations',
  'memberships',
];
const isTouch = (statement: string) =>
  /^\s*update latchkey\.sessions\s+set last_seen_at = [^,]+,\s+expires_at = /.test(statement);

describe.each(requests)('when %s', (_, roundTrips, prepare) => {
  test(`the service sends at most ${roundTrips} statements`, async () => {
    const [statements] = await statementsOf(prepare);
    expect(statements.length).toBeLessThanOrEqual(roundTrips);
  });

  test('each statement that changes an account also writes the audit row, and no transaction is used', async () => {
    const [statements] = await statementsOf(prepare);
    for (const statement of statements) {
      expect(statement).not.toMatch(
        /\b(?:begin|commit|rollback|savepoint|start transaction|prepare|lock)\b/i,
      );
      expect(statement.replace(/;\s*$/, '')).not.toContain(';');
      const tables = changed(statement);
      if (isTouch(statement)) expect(tables).toEqual(['sessions']);
      else if (tables.some((table) => accountTables.includes(table)))
        expect(tables).toContain('audit_events');
      else if (tables.includes('spent_challenges')) expect(tables).toEqual(['spent_challenges']);
      else if (tables.length > 0) expect(tables).toEqual(['audit_events']);
    }
  });

  test('the statements have the same text for every user, at any time', async () => {
    const [one, other] = await statementsOf(prepare);
    expect(one).toEqual(other);
  });
});

test('the requests in this file change exactly the listed tables', async () => {
  const seen = new Set<string>();
  for (const [, , prepare] of requests) {
    const [statements] = await statementsOf(prepare);
    for (const statement of statements) {
      for (const table of changed(statement)) seen.add(table);
      if (isTouch(statement)) seen.add('touch');
    }
  }
  expect([...seen].sort()).toEqual([
    'audit_events',
    'impersonation_links',
    'invitations',
    'memberships',
    'organization_invitations',
    'organizations',
    'passkeys',
    'recovery_codes',
    'recovery_links',
    'sessions',
    'spent_challenges',
    'superadmin_roster',
    'touch',
    'user_sign_ins',
    'users',
  ]);
});
