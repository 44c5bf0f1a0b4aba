import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import {
  accept,
  admit,
  changeRole,
  deleteUser,
  disable,
  enable,
  found,
  help,
  invitationsPath,
  invite,
  postInvitation,
  signUpAs,
} from './support/authority.ts';
import { whileInserting } from './support/held-insert.ts';
import { linkRowsOf, useLink } from './support/recovery.ts';
import { reasonOfRefusal } from './support/refused-sign-in.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

const users = () => service.auth.asOperator('ops').users;

/** A way to lose the rights of a superadmin, and a way to get them back. */
type Loss = [
  name: string,
  lose: (person: Person) => Promise<unknown>,
  restore: (person: Person) => Promise<unknown>,
];
const losses: Loss[] = [
  [
    'is demoted to admin',
    (person) => changeRole(superadmin.browser, person, 'admin'),
    (person) => changeRole(superadmin.browser, person, 'superadmin'),
  ],
  [
    'demotes themselves to user',
    (person) => changeRole(person.browser, person, 'user'),
    (person) => changeRole(superadmin.browser, person, 'superadmin'),
  ],
  [
    'is demoted to user by an operator',
    ({ username }) => users().changeRole(username, 'user'),
    ({ username }) => users().changeRole(username, 'superadmin'),
  ],
  [
    'is disabled',
    (person) => disable(superadmin.browser, person),
    (person) => enable(superadmin.browser, person),
  ],
];

/** As a superadmin, creates an invitation link, an invitation for a username, and a recovery link. */
async function createAll(creator: Person) {
  const [invitee, person] = [await signUp(service), await signUp(service)];
  const tokens = [
    await invite(creator.browser),
    await invite(creator.browser, { username: invitee.username }),
  ];
  const link = (await help(creator.browser, person)).body.token as string;
  return { invitee, person, tokens, link };
}

const statusesOf = async (tokens: string[]) => {
  const preview = (token: string) => service.browser().post(`${invitationsPath}/preview`, { token });
  return Promise.all(tokens.map(async (token) => (await preview(token)).body.code ?? 'usable'));
};

describe('invitations and recovery links of a superadmin', () => {
  test.each(losses)(
    'no longer work after the creator %s, even if the creator becomes an active superadmin again',
    async (_, lose, restore) => {
      const creator = await signUpAs(service, 'superadmin');
      const { invitee, person, tokens, link } = await createAll(creator);
      expect(await statusesOf(tokens)).toEqual(['usable', 'usable']);
      await lose(creator);
      expect(await statusesOf(tokens)).toEqual(['invitation_unusable', 'invitation_unusable']);
      expect(await linkRowsOf(service, person)).toEqual([]);
      await restore(creator);
      for (const token of tokens) expectProblem(await accept(invitee.browser, token), 'invitation_unusable');
      expect(await reasonOfRefusal(service, await useLink(service.browser(), link))).toBe(
        'link_unknown_or_used',
      );
      const { invitations } = (await superadmin.browser.get(`${invitationsPath}?status=pending`)).body;
      expect(invitations.filter(({ createdBy }: Shown) => createdBy?.id === userIdOf(creator))).toEqual([]);
      expect((await invitee.browser.get('/auth/session')).body.user.role).toBe('user');
    },
  );
  interface Shown {
    createdBy: { id: string } | null;
  }

  test('no longer work after the creator is deleted', async () => {
    const creator = await signUpAs(service, 'superadmin');
    const { invitee, tokens, link } = await createAll(creator);
    await deleteUser(superadmin.browser, creator);
    for (const token of tokens) expectProblem(await accept(invitee.browser, token), 'invitation_unusable');
    expectProblem(await useLink(service.browser(), link), 'authentication_failed');
  });

  test('still work after another superadmin is demoted', async () => {
    const [creator, other] = [await signUpAs(service, 'superadmin'), await signUpAs(service, 'superadmin')];
    const { invitee, person, tokens, link } = await createAll(creator);
    await changeRole(superadmin.browser, other, 'user');
    await changeRole(superadmin.browser, creator, 'superadmin');
    expect((await accept(invitee.browser, tokens[1] ?? '')).status).toBe(200);
    expect((await useLink(service.browser(), link)).body.user.id).toBe(userIdOf(person));
  });

  test('still have their effect if they were used before the creator was demoted (tested with an invitation)', async () => {
    const creator = await signUpAs(service, 'superadmin');
    const invitee = await signUp(service);
    expect((await accept(invitee.browser, await invite(creator.browser))).status).toBe(200);
    await changeRole(superadmin.browser, creator, 'user');
    expect((await invitee.browser.get('/auth/session')).body.user.role).toBe('admin');
    const { invitations } = (await superadmin.browser.get(`${invitationsPath}?status=accepted`)).body;
    expect(invitations[0]).toMatchObject({ createdBy: { id: userIdOf(creator) }, status: 'accepted' });
  });
});

describe('a recovery link that an admin created', () => {
  test.each([
    ['is demoted to user', 'user'],
    ['is promoted to superadmin', 'superadmin'],
  ])('no longer works after the admin %s, even if the admin gets the role admin again', async (_, role) => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const member = await signUp(service);
    await admit(admin.browser, organization, member);
    const { token } = (await help(admin.browser, member)).body;
    await changeRole(superadmin.browser, admin, role);
    await changeRole(superadmin.browser, admin, 'admin');
    expect(await linkRowsOf(service, member)).toEqual([]);
    expectProblem(await useLink(service.browser(), token), 'authentication_failed');
  });
});

type Make = (browser: TestAgent, person: Person) => ReturnType<typeof postInvitation>;
const creations: [what: string, table: string, make: Make][] = [
  ['an invitation', 'invitations', (browser) => postInvitation(browser)],
  ['a recovery link', 'recovery_links', (browser, person) => help(browser, person)],
];
const lossesByOthers = losses.filter(([name]) => name !== 'demotes themselves to user');

describe.each(creations)('%s', (what, table, make) => {
  test.each(lossesByOthers)(
    'is not created if its creator %s just before the row is inserted',
    async (_, lose) => {
      const [creator, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
      const { answer } = await meet(service, {
        before: new RegExp(`insert into latchkey\\.${table}`),
        change: async () => {
          await lose(creator);
          return { count: 1 };
        },
        act: (instance) => make(instance.browser(creator.browser.cookies), person),
      });
      expect([401, 403]).toContain(answer.status);
      const event = what === 'a recovery link' ? 'recovery_link.create' : 'invitation.create';
      const reason = answer.status === 403 ? 'role_too_low' : 'session_ended';
      expect(await auditRowsOf(service, answer)).toMatchObject([
        { event, outcome: 'failure', details: { reason } },
      ]);
      const rows = await service.database.sql`
      select from latchkey.${service.database.sql(table)}
      where ${service.database.sql(what === 'a recovery link' ? 'maker_id' : 'created_by')} = ${userIdOf(creator)}`;
      expect(rows).toHaveLength(0);
    },
  );

  test.each(lossesByOthers)(
    'does not work if its creator %s while the row is inserted, even if the creator becomes an active superadmin again',
    async (_, lose, restore) => {
      const [creator, person] = [await signUpAs(service, 'superadmin'), await signUp(service)];
      const answer = await whileInserting(
        service,
        table,
        () => make(creator.browser, person),
        () => lose(creator),
      );
      await restore(creator);
      if (answer.status !== 201) return expect([401, 403]).toContain(answer.status);
      const { token } = answer.body;
      if (what === 'a recovery link')
        expectProblem(await useLink(service.browser(), token), 'authentication_failed');
      else expectProblem(await accept(person.browser, token), 'invitation_unusable');
    },
  );
});
