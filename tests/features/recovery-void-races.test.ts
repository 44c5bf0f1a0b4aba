import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import {
  addPasskey,
  newAuthenticator,
  type Person,
  preparePasskey,
  signUp,
  userIdOf,
} from '../support/person.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  changeRole,
  deleteUser,
  disable,
  found,
  help,
  memberPath,
  signUpAs,
  signUpMember,
} from './support/authority.ts';
import { setMembership } from './support/organizations.ts';
import { alternatingRounds, type Pair, startPair } from './support/paired-changes.ts';
import { addPassword } from './support/passwords.ts';
import {
  cancelLink,
  createLink,
  enterByCode,
  enterByLink,
  generateCodes,
  ledger,
  prepareCompletion,
} from './support/recovery.ts';

let service: TestService;
let pair: Pair;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  pair = await startPair(service, { bcryptCost: 4 });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await pair.close();
  await service.close();
});

/** A browser with the user's cookies that sends its requests to the given instance. */
const at = (instance: ServiceOn, { browser }: Pick<Person, 'browser'>) => instance.browser(browser.cookies);

/**
 * Starts a recovery and prepares its completion. The user enters with a recovery code, or with a recovery link by the
 * given creator.
 */
async function recovering(creator: Person | 'operator' | 'code' = 'operator', person?: Person) {
  const user = person ?? (await signUp(service));
  const browser =
    creator === 'code'
      ? await enterByCode(service, user, (await generateCodes(user.browser))[0])
      : await enterByLink(
          service,
          creator === 'operator'
            ? (await createLink(service, user)).token
            : (await help(creator.browser, user)).body.token,
        );
  const finish = await prepareCompletion(browser);
  const before = await ledger(service, user);
  return {
    person: user,
    browser,
    before,
    complete: (instance: ServiceOn) => finish(instance.browser(browser.cookies)),
  };
}

type Recovering = Awaited<ReturnType<typeof recovering>>;

/** Expects that the recovery completed, or that it changed nothing. */
async function expectAllOrNothing(
  { person, before }: Recovering,
  completed: Answer,
  more: object = {},
): Promise<void> {
  const after = await ledger(service, person);
  if (completed.status === 201) {
    expect(after).toMatchObject({
      codes: 10,
      used: 0,
      links: 0,
      recoveries: 0,
      passkeys: 1,
      'passkey.add': 1,
      'passkey.remove': before.passkeys,
      'recovery_code.generate': (before['recovery_code.generate'] ?? 0) + 1,
      'recovery.complete': 1,
      ...more,
    });
    return;
  }
  expect([completed.status, completed.body.code]).toEqual([
    401,
    expect.stringMatching(/^(not_authenticated|authentication_failed)$/),
  ]);
  for (const event of ['passkey.add', 'recovery.complete'])
    expect([event, after[event] ?? 0]).toEqual([event, before[event] ?? 0]);
  expect(after).toMatchObject({ recoveries: 0, links: 0, ...more });
}

/** The event of the last change of the account. Each change writes the account and its audit row in one transaction. */
async function lastChangeOf(person: Person): Promise<string[]> {
  const rows = await service.database.sql<{ event: string }[]>`
    select event from latchkey.audit_events
    where xmin = (select xmin from latchkey.users where id = ${userIdOf(person)})`;
  return rows.map(({ event }) => event);
}

const passkeyCountOf = async (person: Person) => (await ledger(service, person)).passkeys;

describe('a recovery whose last request is sent while', () => {
  test('its link is canceled: either the recovery or the cancellation succeeds', async () => {
    await alternatingRounds(async (processes) => {
      const given = await recovering();
      const [completed, canceled] = await pair.meet(processes, given.complete, (instance) =>
        cancelLink(at(instance, given.person)),
      );
      expect([201, 401]).toContain(completed.status);
      if (completed.status === 201) expect([401, 404]).toContain(canceled.status);
      else expect(canceled.status).toBe(204);
      await expectAllOrNothing(given, completed, { full_sessions: 1 });
      expect((await ledger(service, given.person))['recovery_link.cancel'] ?? 0).toBe(
        canceled.status === 204 ? 1 : 0,
      );
    });
  });

  test.each(['operator', 'code'] as const)(
    'its user is promoted: the recovery completes before the promotion or not at all (recovery by %s)',
    async (by) => {
      await alternatingRounds(async (processes) => {
        const given = await recovering(by);
        const [completed, promoted] = await pair.meet(processes, given.complete, (instance) =>
          changeRole(at(instance, superadmin), given.person, 'admin'),
        );
        expect(promoted.status).toBe(200);
        await expectAllOrNothing(given, completed, { full_sessions: 1, 'user.change_role': 1 });
        expect(await lastChangeOf(given.person)).toEqual(['user.change_role']);
      });
    },
  );

  test.each(['operator', 'code'] as const)(
    'its user is being disabled: the recovery completes first or not at all (recovery by %s)',
    async (by) => {
      await alternatingRounds(async (processes) => {
        const given = await recovering(by);
        const [completed, disabled] = await pair.meet(processes, given.complete, (instance) =>
          disable(at(instance, superadmin), given.person),
        );
        expect(disabled.status).toBe(200);
        await expectAllOrNothing(given, completed, { full_sessions: 0, 'user.disable': 1 });
        expect(await lastChangeOf(given.person)).toEqual(['user.disable']);
      });
    },
  );

  const creatorChanges: [
    name: string,
    change: (instance: ServiceOn, creator: Person) => Promise<Answer>,
    status: number,
  ][] = [
    ['demoted', (instance, creator) => changeRole(at(instance, superadmin), creator, 'user'), 200],
    ['disabled', (instance, creator) => disable(at(instance, superadmin), creator), 200],
    ['deleted', (instance, creator) => deleteUser(at(instance, superadmin), creator), 204],
  ];
  test.each(creatorChanges)(
    'the creator of its link is being %s: the recovery completes or changes nothing',
    async (_, change, status) => {
      await alternatingRounds(async (processes) => {
        const creator = await signUpAs(service, 'superadmin');
        const given = await recovering(creator);
        const [completed, changed] = await pair.meet(processes, given.complete, (instance) =>
          change(instance, creator),
        );
        expect(changed.status).toBe(status);
        await expectAllOrNothing(given, completed, { full_sessions: 1 });
      });
    },
  );

  test('the creator of its link is demoted in the organization: the recovery completes or changes nothing', async () => {
    const admin = await signUpAs(service, 'admin');
    const organization = await found(admin.browser);
    const otherAdmin = await signUpMember(service, admin.browser, organization, 'admin');
    await alternatingRounds(async (processes) => {
      const member = await signUpMember(service, otherAdmin.browser, organization);
      const given = await recovering(admin, member);
      const [completed, demoted] = await pair.meet(processes, given.complete, (instance) =>
        at(instance, otherAdmin).patch(memberPath(organization, admin), { role: 'user' }),
      );
      expect(demoted.status).toBe(200);
      if (completed.status === 201) await expectAllOrNothing(given, completed, { full_sessions: 1 });
      else {
        expect(completed.body.code).toBe('authentication_failed');
        // The link remains but does not work. The completion changed nothing.
        expect(await ledger(service, member)).toMatchObject({
          ...given.before,
          'recovery.complete refused': 1,
        });
      }
      await setMembership(service, organization, admin, 'admin');
    });
  });

  test('a password is set: either the recovery or setting the password succeeds', async () => {
    await alternatingRounds(async (processes) => {
      const given = await recovering('code');
      const [completed, set] = await pair.meet(processes, given.complete, (instance) =>
        addPassword(at(instance, given.person)),
      );
      expect([completed.status, set.status].sort()).toEqual([201, 401]);
      await expectAllOrNothing(given, completed, { full_sessions: 1 });
      const [row] = await service.database.sql`
        select password_hash is not null as set from latchkey.users where id = ${userIdOf(given.person)}`;
      expect(row).toEqual({ set: set.status === 201 });
    });
  });

  test('a passkey is removed: either the recovery or the removal succeeds', async () => {
    await alternatingRounds(async (processes) => {
      const person = await signUp(service);
      const spare = (await addPasskey(person.browser)).body.device.id;
      const given = await recovering('code', person);
      const [completed, removed] = await pair.meet(processes, given.complete, (instance) =>
        at(instance, person).delete(`/auth/passkey/devices/${spare}`),
      );
      // The completion removed the passkey and ended the session.
      if (completed.status === 201) expect([401, 404]).toContain(removed.status);
      else expect(removed.status).toBe(204);
      if (completed.status !== 201) expect(await passkeyCountOf(person)).toBe(1);
      // The setup recorded one added passkey.
      await expectAllOrNothing(given, completed, {
        full_sessions: 1,
        ...(completed.status === 201 && { 'passkey.add': 2, 'passkey.remove': 2 }),
      });
    });
  });

  test('a passkey is added in a full session: either the recovery or adding the passkey succeeds', async () => {
    await alternatingRounds(async (processes) => {
      const given = await recovering('code');
      const add = await preparePasskey(given.person.browser, newAuthenticator());
      const [completed, added] = await pair.meet(processes, given.complete, (instance) =>
        add(at(instance, given.person)),
      );
      expect([completed.status, added.status].sort()).toEqual([201, 401]);
      expect(await passkeyCountOf(given.person)).toBe(completed.status === 201 ? 1 : 2);
      expect(await ledger(service, given.person)).toMatchObject({
        recoveries: 0,
        full_sessions: 1,
        'passkey.add': 1,
      });
    });
  });
});
