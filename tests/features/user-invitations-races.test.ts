import { type SignUpOptions, sql } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { together } from '../support/many-requests.ts';
import { newUsername, type Person } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { changeRole, deleteUser, disable, signUpAs } from './support/authority.ts';
import { auditRowsOfInvitation, revoke } from './support/invitations.ts';
import { finishSignUp, inviteUser, type PreparedSignUp, prepareSignUp } from './support/sign-ups.ts';

/** The table has no foreign key, so only the statement itself prevents rows without an account. */
const signUpOptions: SignUpOptions = {
  after: ({ user }) => sql`insert into public.profiles (user_id) values (${user.id})`,
};
let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ signUp: signUpOptions });
  await service.database.sql`create table public.profiles (user_id uuid primary key)`;
  second = await startSecondInstance(service, { signUp: signUpOptions });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Finishes the sign-up on the first instance, where it started, or on the second. */
const finishOn = (instance: 'first' | 'second', prepared: PreparedSignUp) =>
  finishSignUp(
    instance === 'first' ? prepared : { ...prepared, browser: second.browser(prepared.browser.cookies) },
  );

const codeOf = ({ status, body }: Answer): string => (status === 201 ? 'signed up' : body.code);

/** The rows of all accounts and of the application's table must belong to the same users. */
async function expectNoOrphans(): Promise<void> {
  const rows = await service.database.sql`
    select users.id, profiles.user_id from latchkey.users
    full join public.profiles on profiles.user_id = users.id
    where users.id is null or profiles.user_id is null`;
  expect([...rows]).toEqual([]);
}

describe('one user invitation', () => {
  test('creates one account in ten concurrent sign-ups on two instances', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token } = await inviteUser(superadmin.browser);
      const prepared = await Promise.all(
        Array.from({ length: 10 }, () => prepareSignUp(service, { invitation: token })),
      );
      const answers = await together(
        prepared.map((one, n) => () => finishOn(n % 2 ? 'second' : 'first', one)),
      );
      expect(answers.map(codeOf).sort()).toEqual([...Array(9).fill('invitation_unusable'), 'signed up']);
      const [winner] = answers.filter(({ status }) => status === 201);
      const [stored] = await service.database.sql`
        select accepted_by from latchkey.invitations where id = ${id}`;
      expect(stored?.accepted_by).toBe(winner?.body.user.id);
      const accepted = (await auditRowsOfInvitation(service, { id })).filter(
        ({ event }) => event === 'invitation.accept',
      );
      expect(accepted).toHaveLength(1);
      await expectNoOrphans();
    }
  });

  test('creates one account in concurrent sign-ups with the same username', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token } = await inviteUser(superadmin.browser);
      const username = newUsername();
      const prepared = await Promise.all(
        Array.from({ length: 6 }, () => prepareSignUp(service, { username, invitation: token })),
      );
      const answers = await together(
        prepared.map((one, n) => () => finishOn(n % 2 ? 'second' : 'first', one)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers)
        expect(['signed up', 'invitation_unusable', 'username_taken']).toContain(codeOf(answer));
      await expectNoOrphans();
    }
  });
});

test('of two concurrent sign-ups with one username, only the successful one uses its invitation', async () => {
  for (let round = 0; round < 10; round += 1) {
    const username = newUsername();
    const invitations = [await inviteUser(superadmin.browser), await inviteUser(superadmin.browser)];
    const prepared = await Promise.all(
      invitations.map(({ token }) => prepareSignUp(service, { username, invitation: token })),
    );
    const answers = await together(prepared.map((one, n) => () => finishOn(n ? 'second' : 'first', one)));
    expect(answers.map(codeOf).sort()).toEqual(['signed up', 'username_taken']);
    for (const [n, answer] of answers.entries()) {
      const [stored] = await service.database.sql`
        select accepted_at is not null as used from latchkey.invitations where id = ${invitations[n]?.id ?? ''}`;
      expect(stored?.used).toBe(answer.status === 201);
    }
    await expectNoOrphans();
  }
});

test('of a concurrent sign-up and revocation, exactly one succeeds', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id, token } = await inviteUser(superadmin.browser);
    const prepared = await prepareSignUp(service, { invitation: token });
    const acts = [
      () => finishOn(round % 4 < 2 ? 'first' : 'second', prepared),
      () => revoke(superadmin.browser, { id }),
    ];
    const answers = await together(round % 2 ? acts : acts.reverse());
    const [signedUp, revoked] = round % 2 ? answers : answers.reverse();
    if (signedUp?.status === 201) expect(revoked?.body?.code).toBe('invitation_already_accepted');
    else expect([signedUp?.body.code, revoked?.status]).toEqual(['invitation_unusable', 204]);
  }
  await expectNoOrphans();
});

test.each<[string, (by: TestAgent, creator: Person) => Promise<Answer>]>([
  ['demoted', (by, creator) => changeRole(by, creator, 'user')],
  ['disabled', disable],
  ['deleted', deleteUser],
])(
  'a sign-up while the creator is %s either uses the invitation, or the invitation is revoked',
  async (_, demote) => {
    for (let round = 0; round < 10; round += 1) {
      const creator = await signUpAs(service, 'admin');
      const { id, token } = await inviteUser(creator.browser);
      const prepared = await prepareSignUp(service, { invitation: token });
      const acts = [
        () => finishOn(round % 4 < 2 ? 'first' : 'second', prepared),
        () => demote(superadmin.browser, creator),
      ];
      const answers = await together(round % 2 ? acts : acts.reverse());
      const [signedUp, demoted] = round % 2 ? answers : answers.reverse();
      expect(demoted?.status).toBeLessThan(300);
      const [stored] = await service.database.sql`
      select accepted_at is not null as used, revoked_at is not null as revoked
      from latchkey.invitations where id = ${id}`;
      const used = signedUp?.status === 201;
      if (!used) expect(signedUp?.body.code).toBe('invitation_unusable');
      expect(stored).toEqual({ used, revoked: !used });
    }
    await expectNoOrphans();
  },
);
