import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { type Person, preparePasskey, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { rounds } from '../support/rounds.ts';
import { meet } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { disable, found, organizationsPath, postInvitation } from './support/authority.ts';
import { addPassword, enterByPassword, removePassword, signUpWithOnlyPassword } from './support/passwords.ts';
import { createLink } from './support/recovery.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

interface Act {
  /** Returns a function that sends the request. */
  prepare(person: Person): Promise<(browser: TestAgent) => Promise<Answer>>;
  /** The statement before which another session adds the first passkey. */
  before: RegExp;
  event: string;
}

const own = /with live as/;
const byRole = /with entitled as/;

const acts: Record<string, Act> = {
  'set the password': {
    prepare: async () => (browser) => addPassword(browser, 'nine lamps, one dark'),
    before: own,
    event: 'password.replace',
  },
  'remove the password': {
    prepare: async () => removePassword,
    // Before this statement, the password is the last sign-in method and cannot be removed.
    before: /as has_password, users\.user_handle/,
    event: 'password.remove',
  },
  'add another passkey': {
    prepare: async ({ browser }) => {
      const add = await preparePasskey(browser);
      return (other) => add(other);
    },
    before: own,
    event: 'passkey.add',
  },
  'create recovery codes': {
    prepare: async () => (browser) => browser.post('/auth/recovery/codes/generate'),
    before: own,
    event: 'recovery_code.generate',
  },
  'revoke the recovery codes': {
    prepare: async () => (browser) => browser.delete('/auth/recovery/codes/revoke'),
    before: own,
    event: 'recovery_code.revoke',
  },
  'cancel the recovery link': {
    prepare: async (person) => {
      await createLink(service, person);
      return (browser) => browser.delete('/auth/recovery/assisted');
    },
    before: own,
    event: 'recovery_link.cancel',
  },
  'delete the account': {
    prepare: async () => (browser) => browser.delete('/auth/account'),
    before: byRole,
    event: 'account.delete',
  },
  'disable a user': {
    prepare: async () => {
      const other = await signUp(service);
      return (browser) => disable(browser, other);
    },
    before: byRole,
    event: 'user.disable',
  },
  'invite an admin': { prepare: async () => postInvitation, before: byRole, event: 'invitation.create' },
  'change an organization': {
    prepare: async ({ browser }) => {
      const { id } = await found(browser);
      return (other) => other.patch(`${organizationsPath}/${id}`, { name: 'Another name' });
    },
    before: byRole,
    event: 'organization.update',
  },
};

test.each(Object.entries(acts))(
  'a session opened with the password cannot %s if another session adds the first passkey meanwhile',
  async (_, { prepare, before, event }) => {
    for (let round = 0; round < rounds; round++) {
      const person = await signUpWithOnlyPassword(service);
      // Two superadmins, so that each of them can be deleted.
      await setRole(service, await signUp(service), 'superadmin');
      await setRole(service, person, 'superadmin');
      const send = await prepare(person);
      const other = await enterByPassword(service, person);
      const addFirst = await preparePasskey(other.browser);
      let added: Promise<Answer> | undefined;
      const { answer } = await meet(service, {
        before,
        change: async () => {
          added ??= addFirst();
          return { count: (await added).status === 201 ? 1 : 0 };
        },
        act: (instance) => send(instance.browser(person.browser.cookies)),
        options: { bcryptCost: 4 },
      });
      expect((await added)?.status).toBe(201);
      expectProblem(answer, 'passkey_required');
      expect(await auditRowsOf(service, answer)).toMatchObject([
        { event, outcome: 'failure', details: { reason: 'passkey_required' } },
      ]);
    }
  },
);
