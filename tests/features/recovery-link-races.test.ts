import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { changeRole, found, help, signUpAs, signUpMember } from './support/authority.ts';
import { alternatingRounds, type Pair, startPair } from './support/paired-changes.ts';
import {
  cancelLink,
  createLink,
  enterByLink,
  ledger,
  linkRowsOf,
  prepareCompletion,
  recoverySessionsOf,
  useLink,
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

const passkeyCountOf = async (person: Person) => (await ledger(service, person)).passkeys;

describe('using a recovery link', () => {
  const preparing = async (creator?: Person) => {
    const person = await signUp(service);
    const { token } = creator
      ? (await help(creator.browser, person)).body
      : await createLink(service, person);
    const browsers: ReturnType<ServiceOn['browser']>[] = [];
    const use = (instance: ServiceOn) => {
      const browser = instance.browser();
      browsers.push(browser);
      return useLink(browser, token);
    };
    return { person, token, use, browsers };
  };

  test('leaves no link and no recovery session if the user of the link cancels it at the same time', async () => {
    await alternatingRounds(async (processes) => {
      const { person, use } = await preparing();
      const [used, canceled] = await pair.meet(processes, use, (instance) =>
        cancelLink(at(instance, person)),
      );
      expect(canceled.status).toBe(204);
      expect([200, 401]).toContain(used.status);
      expect(await ledger(service, person)).toMatchObject({
        links: 0,
        recoveries: 0,
        full_sessions: 1,
        'recovery_link.cancel': 1,
      });
    });
  });

  test('leaves no link and no recovery session if the user of the link is promoted at the same time', async () => {
    await alternatingRounds(async (processes) => {
      const { person, use } = await preparing();
      const [used, promoted] = await pair.meet(processes, use, (instance) =>
        changeRole(at(instance, superadmin), person, 'admin'),
      );
      expect(promoted.status).toBe(200);
      expect([200, 401]).toContain(used.status);
      expect(await ledger(service, person)).toMatchObject({ links: 0, recoveries: 0, full_sessions: 1 });
    });
  });

  test('opens no recovery session that can complete a recovery if the creator is demoted at the same time', async () => {
    await alternatingRounds(async (processes) => {
      const creator = await signUpAs(service, 'superadmin');
      const { person, use, browsers } = await preparing(creator);
      const [used, demoted] = await pair.meet(processes, use, (instance) =>
        changeRole(at(instance, superadmin), creator, 'user'),
      );
      expect(demoted.status).toBe(200);
      expect(await linkRowsOf(service, person)).toEqual([]);
      if (used.status !== 200) expect(await recoverySessionsOf(service, person)).toEqual([]);
      const [browser] = browsers;
      if (!browser || (await browser.get('/auth/session')).status !== 200) return;
      const { status } = await (await prepareCompletion(browser))();
      expect(status).toBe(401);
      expect(await passkeyCountOf(person)).toBe(1);
    });
  });
});

test('if a user is promoted while an admin creates a recovery link for the user, the link does not work after the promotion', async () => {
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  await alternatingRounds(async (processes) => {
    const member = await signUpMember(service, admin.browser, organization);
    const [made, promoted] = await pair.meet(
      processes,
      (instance) => help(at(instance, admin), member),
      (instance) => changeRole(at(instance, superadmin), member, 'admin'),
    );
    expect(promoted.status).toBe(200);
    expect([201, 403]).toContain(made.status);
    expect(await linkRowsOf(service, member)).toEqual([]);
    if (made.status === 201) expect((await useLink(service.browser(), made.body.token)).status).toBe(401);
  });
});

test('of two concurrent requests to cancel a recovery link, one succeeds', async () => {
  await alternatingRounds(async (processes) => {
    const person = await signUp(service);
    const browser = await enterByLink(service, (await createLink(service, person)).token);
    const answers = await pair.meet(
      processes,
      (instance) => cancelLink(at(instance, person)),
      (instance) => cancelLink(at(instance, person)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await browser.get('/auth/session')).status).toBe(401);
    expect(await ledger(service, person)).toMatchObject({
      links: 0,
      recoveries: 0,
      'recovery_link.cancel': 1,
    });
  });
});

test('when the user of a recovery link and an operator cancel the link concurrently, one of them succeeds', async () => {
  await alternatingRounds(async (processes) => {
    const person = await signUp(service);
    await createLink(service, person);
    const [byUser, byOperator] = await pair.meet(
      processes,
      async (instance) => (await cancelLink(at(instance, person))).status,
      (instance) =>
        instance.auth
          .asOperator('ops')
          .users.cancelRecoveryLink(person.username)
          .then(
            () => 204,
            ({ status }) => status as number,
          ),
    );
    expect([byUser, byOperator].sort()).toEqual([204, 404]);
    expect((await ledger(service, person))['recovery_link.cancel']).toBe(1);
  });
});

test('of two recovery links that are created concurrently for a user, one works, and both are recorded', async () => {
  const other = await signUpAs(service, 'superadmin');
  await alternatingRounds(async (processes) => {
    const person = await signUp(service);
    const made = await pair.meet(
      processes,
      (instance) => help(at(instance, superadmin), person),
      (instance) => help(at(instance, other), person),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(await linkRowsOf(service, person)).toHaveLength(1);
    const statuses: number[] = [];
    for (const { body } of made) statuses.push((await useLink(service.browser(), body.token)).status);
    expect(statuses.sort()).toEqual([200, 401]);
    expect(await ledger(service, person)).toMatchObject({
      links: 1,
      recoveries: 1,
      'recovery_link.create': 2,
      'recovery_link.use': 1,
    });
  });
});
