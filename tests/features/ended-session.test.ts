import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { callDuring } from '../support/waiting.ts';
import { disable, signUpAs } from './support/authority.ts';
import { isSignedIn } from './support/current-session.ts';

const devices = '/auth/passkey/devices';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** A request that changes something, and the statement that makes the change. */
interface Change {
  prepare(person: Person): Promise<(browser: TestAgent) => Promise<Answer>>;
  statement: RegExp;
}

const changes: [name: string, change: Change][] = [
  [
    'renaming a passkey',
    {
      prepare: async ({ signedUp }) => {
        const path = `${devices}/${signedUp.body.passkey.id}`;
        return (browser) => browser.patch(path, { label: 'Renamed' });
      },
      statement: /update latchkey\.passkeys/,
    },
  ],
  [
    'removing a passkey',
    {
      prepare: async ({ browser }) => {
        const { device } = (await addPasskey(browser)).body;
        return (ended) => ended.delete(`${devices}/${device.id}`);
      },
      statement: /delete from latchkey\.passkeys/,
    },
  ],
  [
    'adding a passkey',
    {
      prepare: async ({ browser }) => {
        const { options } = (await browser.post(`${devices}/add`, {})).body;
        const credential = await newAuthenticator().create(options);
        return (ended) => ended.post(`${devices}/add`, { credential });
      },
      statement: /insert into latchkey\.passkeys/,
    },
  ],
  [
    'ending one session',
    {
      prepare: async ({ authenticator }) => {
        const { session } = (await logIn(service.browser(), authenticator)).body;
        return (ended) => ended.delete(`/auth/sessions/${session.id}`);
      },
      statement: /delete from latchkey\.sessions/,
    },
  ],
  [
    'ending the other sessions',
    {
      prepare: async ({ authenticator }) => {
        await logIn(service.browser(), authenticator);
        return (ended) => ended.delete('/auth/sessions');
      },
      statement: /delete from latchkey\.sessions/,
    },
  ],
  [
    'requesting a service token',
    {
      prepare: async () => (ended) => ended.post('/auth/session/token'),
      // The statement that checks the session selects `fresh`. The statement that issues the token does not.
      statement: /^select \* from \(\s*select\s+sessions\.id as session_id(?![\s\S]* as fresh)/,
    },
  ],
];

/** The rows of the account, except the session that ends, and the successful audit events of the account. */
const everythingOf = async ({ signedUp }: Person) => {
  const { sql } = service.database;
  const { user, session } = signedUp.body;
  return {
    user: await sql`select * from latchkey.users where id = ${user.id}`,
    passkeys: await sql`select * from latchkey.passkeys where user_id = ${user.id} order by id`,
    sessions: await sql`
      select * from latchkey.sessions where user_id = ${user.id} and id <> ${session.id} order by id`,
    done: await sql`
      select event from latchkey.audit_events where actor_id = ${user.id} and outcome = 'success'
      order by at, id`,
  };
};

/** How the row of a session can change so that the session has ended. */
const endings = {
  'is deleted': 'delete from latchkey.sessions',
  expires: 'update latchkey.sessions set expires_at = latchkey.clock()',
  'is not of the current epoch': 'update latchkey.sessions set epoch = epoch - 1',
} as const;

/** Sends the request to an instance whose session ends right before the statement. */
async function sendAsItEnds(
  { browser, signedUp }: Person,
  statement: RegExp,
  send: (browser: TestAgent) => Promise<Answer>,
  ending: keyof typeof endings = 'is deleted',
): Promise<{ answer: Answer; ended: number }> {
  let ended = 0;
  const instance = await startSecondInstance(service, {}, async (text) => {
    if (!statement.test(text)) return;
    const gone = await service.database.sql.unsafe(`${endings[ending]} where id = $1`, [
      signedUp.body.session.id,
    ]);
    ended += gone.count;
  });
  try {
    return { answer: await send(instance.browser(browser.cookies)), ended };
  } finally {
    await instance.close();
  }
}

const namesOfEndings = Object.keys(endings) as (keyof typeof endings)[];
describe.each(namesOfEndings)('a session that %s after its check but before the change', (ending) => {
  test.each(changes)('cannot be used for %s, and nothing changes', async (_, { prepare, statement }) => {
    const person = await signUp(service);
    const send = await prepare(person);
    const before = await everythingOf(person);
    const { answer, ended } = await sendAsItEnds(person, statement, send, ending);
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await everythingOf(person)).toEqual(before);
  });
});

test.each(namesOfEndings)(
  'a superadmin whose session %s after its check but before the change cannot disable a user',
  async (ending) => {
    const [superadmin, user] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    const { answer, ended } = await sendAsItEnds(
      superadmin,
      /update latchkey\.users/,
      (browser) => disable(browser, user),
      ending,
    );
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
    expect(await isSignedIn(user.browser)).toBe(true);
  },
);

describe('a session that ends after its check but before the change', () => {
  test('is rejected with the same error when the request renames another user’s passkey', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const path = `${devices}/${other.signedUp.body.passkey.id}`;
    const { answer, ended } = await sendAsItEnds(person, /update latchkey\.passkeys/, (browser) =>
      browser.patch(path, { label: 'Mine' }),
    );
    expect(ended).toBe(1);
    expectProblem(answer, 'not_authenticated');
  });
});

describe('while another transaction ends the session, a step-up', () => {
  test('waits for the transaction, is rejected, and records neither a use of the passkey nor a suspected copy', async () => {
    const person = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const { browser, authenticator, signedUp } = person;
    const { sql } = service.database;
    const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await authenticator.get(options);

    const answer = await callDuring(
      sql,
      (revocation) => revocation`delete from latchkey.sessions where id = ${signedUp.body.session.id}`,
      () => browser.post('/auth/passkey/stepup/verify', { credential }),
    );

    expectProblem(answer, 'authentication_failed');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(
      await sql`
        select event, outcome, details->>'reason' as reason from latchkey.audit_events
        where request_id = ${answer.headers.get('X-Request-Id')}`,
    ).toEqual([{ event: 'passkey.stepup', outcome: 'failure', reason: 'concurrent_change' }]);
    expect(
      await sql`
        select counter::int as counter, last_used_at from latchkey.passkeys
        where id = ${signedUp.body.passkey.id}`,
    ).toEqual([{ counter: 5, last_used_at: null }]);
  });
});
