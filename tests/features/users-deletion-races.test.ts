import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import {
  logIn,
  newAuthenticator,
  newUsername,
  type Person,
  preparePasskey,
  signUp,
  signUpStart,
  userIdOf,
} from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout } from './support/audit-log.ts';
import {
  deleteAccount,
  deleteUser,
  enable,
  found,
  help,
  organizationsPath,
  postMember,
  signUpAs,
  usersPath,
} from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';
import { whileInserting } from './support/held-insert.ts';
import { addPassword, logInByPassword } from './support/passwords.ts';
import {
  createLink,
  enterByCode,
  generateCodes,
  postGenerate,
  useCode,
  useLink,
} from './support/recovery.ts';

const options = { bcryptCost: 4 };
let service: TestService;
let second: ServiceOn;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService(options);
  second = await startSecondInstance(service, options);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service, second));

const remove = async (person: Person) => {
  expect((await deleteUser(superadmin.browser, person)).status).toBe(204);
};

/** The remaining sign-in methods of an account, and whether the account is deleted. */
async function remainsOf(person: Person) {
  const id = userIdOf(person);
  const [row] = await service.database.sql<Record<string, number | boolean>[]>`
    select
      (select count(*)::int from latchkey.passkeys where user_id = ${id}) as passkeys,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select password_hash is not null from latchkey.users where id = ${id}) as password,
      (select deleted_at is not null from latchkey.users where id = ${id}) as deleted`;
  return row;
}
const nothing = { passkeys: 0, codes: 0, password: false, deleted: true };

async function expectNoAccess(person: Person, browser: TestAgent): Promise<void> {
  for (const agent of [browser, second.browser(browser.cookies)]) expect(await isSignedIn(agent)).toBe(false);
  expect((await logIn(service.browser(), person.authenticator)).status).toBe(401);
}

interface InFlight {
  act(): Promise<Answer>;
  /** Tries to sign in with the sign-in method that `act` created. */
  enter?(): Promise<Answer>;
  browser?: TestAgent;
}
type Prepare = (person: Person) => Promise<InFlight>;

const inFlight: [what: string, table: string, prepare: Prepare][] = [
  [
    'a passkey is being added',
    'passkeys',
    async (person) => {
      const authenticator = newAuthenticator();
      const act = await preparePasskey(person.browser, authenticator);
      return { act, enter: () => logIn(service.browser(), authenticator) };
    },
  ],
  [
    'recovery codes are being created',
    'recovery_codes',
    async (person) => {
      let codes: string[] = [];
      return {
        act: async () => {
          const answer = await postGenerate(person.browser);
          codes = answer.body.codes ?? [];
          return answer;
        },
        enter: () => useCode(service.browser(), person, codes[0]),
      };
    },
  ],
  [
    'a password is being set',
    'audit_events',
    async (person) => ({
      act: () => addPassword(person.browser),
      enter: () => logInByPassword(service.browser(), person),
    }),
  ],
  [
    'a sign-in is in progress',
    'sessions',
    async (person) => {
      const browser = service.browser();
      return { act: () => logIn(browser, person.authenticator), browser };
    },
  ],
  [
    'a recovery code is being used',
    'sessions',
    async (person) => {
      const [code] = await generateCodes(person.browser);
      const browser = service.browser();
      return { act: () => useCode(browser, person, code), browser };
    },
  ],
  [
    'a recovery is being completed',
    'passkeys',
    async (person) => {
      const [code] = await generateCodes(person.browser);
      const browser = await enterByCode(service, person, code);
      const authenticator = newAuthenticator();
      const act = await preparePasskey(browser, authenticator);
      return { act, enter: () => logIn(service.browser(), authenticator), browser };
    },
  ],
  [
    'a recovery link is being created',
    'recovery_links',
    async (person) => {
      let token = '';
      return {
        act: async () => {
          const answer = await help(superadmin.browser, person);
          token = answer.body.token;
          return answer;
        },
        enter: () => useLink(service.browser(), `${token}`),
      };
    },
  ],
];

describe('deleting a user', () => {
  test.each(inFlight.filter(([, table]) => table !== 'audit_events'))(
    'leaves no sign-in method and no session if, at the same time, %s',
    async (_, table, prepare) => {
      const person = await signUp(service);
      const { act, enter, browser } = await prepare(person);
      const answer = await whileInserting(service, table, act, () => remove(person));
      expect([200, 201, 401]).toContain(answer.status);
      if (enter) expect((await enter()).status).toBe(401);
      await expectNoAccess(person, browser ?? person.browser);
      expect(await remainsOf(person)).toEqual(nothing);
      expect((await enable(superadmin.browser, person)).status).toBe(404);
      expect(await auditRowsAbout(service, person, 'user.delete')).toMatchObject([{ outcome: 'success' }]);
    },
  );

  test.each(inFlight)(
    'leaves no sign-in method and no session if, at the same time, %s (10 rounds)',
    async (_, __, prepare) => {
      for (let round = 0; round < 10; round += 1) {
        const person = await signUp(service);
        const { act, enter, browser } = await prepare(person);
        const acting: (() => Promise<unknown>)[] = [act, () => remove(person)];
        await together(round % 2 ? acting : acting.reverse());
        if (enter) expect((await enter()).status).toBe(401);
        await expectNoAccess(person, browser ?? person.browser);
        expect(await remainsOf(person)).toEqual(nothing);
      }
    },
  );

  test('leaves no visible membership if, at the same time, the user is being added to an organization', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const person = await signUp(service);
    await whileInserting(
      service,
      'memberships',
      () => postMember(superadmin.browser, organization, person, 'admin'),
      () => remove(person),
    );
    const { members } = (await admin.browser.get(`${organizationsPath}/${organization.id}/members`)).body;
    expect(members).toHaveLength(1);
    const { users } = (await admin.browser.get(usersPath)).body;
    expect(users.map(({ id }: { id: string }) => id)).toEqual([userIdOf(admin)]);
    const leaving = await admin.browser.delete(
      `${organizationsPath}/${organization.id}/members/${userIdOf(admin)}`,
    );
    expect(leaving.body.code).toBe('last_organization_admin');
  });

  test('while the user ends sessions, uses a recovery link and deletes the account: exactly one deletion succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await signUp(service);
      const { token } = await createLink(service, person);
      const [, , byUser, bySuperadmin] = await together([
        () => person.browser.copy().delete('/auth/sessions'),
        () => useLink(second.browser(), token),
        () => deleteAccount(second.browser(person.browser.cookies)),
        () => deleteUser(superadmin.browser.copy(), person),
      ]);
      expect([204, 401, 404]).toContain(byUser?.status);
      expect([204, 404]).toContain(bySuperadmin?.status);
      const rows = await service.database.sql`
        select from latchkey.audit_events
        where event in ('account.delete', 'user.delete') and outcome = 'success' and target_id = ${userIdOf(person)}`;
      expect(rows).toHaveLength(1);
      expect(await remainsOf(person)).toEqual(nothing);
    }
  });
});

test('sign-ups that run while an account is being deleted cannot get its username', async () => {
  for (let round = 0; round < 4; round += 1) {
    const username = newUsername('wanted');
    const begun = await Promise.all(
      times(20, null).map(async (_, n) => {
        const browser = (n % 2 ? second : service).browser();
        const credential = await newAuthenticator().create(await signUpStart(browser, username));
        return () => browser.post('/auth/passkey/register/verify', { credential });
      }),
    );
    const person = await signUp(service, { username });
    const [deleted, ...answers] = await together([() => deleteAccount(person.browser), ...begun]);
    expect(deleted?.status).toBe(204);
    expect(sortedStatuses(answers)).toEqual(times(20, 409));
    const rows = await service.database.sql`select from latchkey.users where username = ${username}`;
    expect(rows).toHaveLength(1);
  }
});
