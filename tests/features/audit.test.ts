import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import {
  addPasskey,
  logIn,
  newAuthenticator,
  newUsername,
  type Person,
  signUp,
  signUpStart,
  stepUp,
  userIdOf,
} from '../support/person.ts';
import { type AuditRow, startTestService, type TestService } from '../support/test-service.ts';
import { fillSessions } from './support/full-account.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const noModel = '00000000-0000-0000-0000-000000000000';
const wrongOrigin = { clientData: { origin: 'https://evil.example' } };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Calls `act`. Returns its response, and the audit rows that it wrote. */
async function rowsOf(act: () => Promise<Answer>): Promise<{ answer: Answer; rows: AuditRow[] }> {
  const before = (await service.auditRows()).length;
  const answer = await act();
  return { answer, rows: (await service.auditRows()).slice(before) };
}

type ExpectedRow = Pick<AuditRow, 'event' | 'outcome'> & Partial<AuditRow>;

/** Expects exactly one row, with these columns and the request id of the response. */
function expectOneRow({ answer, rows }: { answer: Answer; rows: AuditRow[] }, expected: ExpectedRow): void {
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      at: expect.any(Date),
      actor_type: expected.actor_id ? 'user' : 'anonymous',
      actor_id: null,
      actor_name: null,
      target_type: null,
      target_id: null,
      target_name: null,
      organization_id: null,
      ip: '127.0.0.1',
      user_agent: 'node',
      request_id: answer.headers.get('X-Request-Id'),
      impersonator_type: null,
      impersonator_id: null,
      impersonator_name: null,
      details: {},
      count: null,
      ...expected,
    },
  ]);
}

const userOf = ({ signedUp }: Person) => signedUp.body.user as { id: string; username: string };
const asActor = (person: Person) => ({ actor_id: userOf(person).id, actor_name: person.username });
const passkeyId = ({ signedUp }: Person): string => signedUp.body.passkey.id;
const sessionId = ({ signedUp }: Person): string => signedUp.body.session.id;
const asTarget = (person: Person) => ({
  target_type: 'user',
  target_id: userOf(person).id,
  target_name: person.username,
});
const asPasskey = (person: Person) => ({
  target_type: 'passkey',
  target_id: passkeyId(person),
  target_name: person.username,
});

describe('a sign-up', () => {
  test('writes one event, whose actor is the new user', async () => {
    const browser = service.browser();
    const username = newUsername();
    const options = await signUpStart(browser, username);
    const credential = await newAuthenticator().create(options);
    const result = await rowsOf(() => browser.post('/auth/passkey/register/verify', { credential }));
    const { user, passkey } = result.answer.body;
    expectOneRow(result, {
      event: 'account.signup',
      outcome: 'success',
      actor_id: user.id,
      actor_name: username,
      target_type: 'user',
      target_id: user.id,
      target_name: username,
      details: { passkeyId: passkey.id, aaguid: noModel },
    });
  });

  test('that is rejected writes one event with the reason', async () => {
    const browser = service.browser();
    const username = newUsername();
    const credential = await newAuthenticator().create(await signUpStart(browser, username), wrongOrigin);
    const finish = () => browser.post('/auth/passkey/register/verify', { credential });
    const refusal = { event: 'account.signup', outcome: 'failure' };
    expectOneRow(await rowsOf(finish), {
      ...refusal,
      target_type: 'user',
      target_name: username,
      details: { reason: 'origin_mismatch' },
    });
    expectOneRow(await rowsOf(finish), { ...refusal, details: { reason: 'challenge_spent' } });
  });

  test('writes one event when the username or the passkey is already taken', async () => {
    const first = await signUp(service);
    const username = newUsername();
    const browser = service.browser();
    const options = await signUpStart(browser, username);
    const credential = await newAuthenticator().create(options);
    await signUp(service, { username });
    const refusal = { event: 'account.signup', outcome: 'failure', target_type: 'user' };
    expectOneRow(await rowsOf(() => browser.post('/auth/passkey/register/verify', { credential })), {
      ...refusal,
      target_name: username,
      details: { reason: 'username_taken' },
    });

    const credentialId = Buffer.from(first.authenticator.credentials[0]?.id ?? '', 'base64url');
    const another = newUsername();
    const copied = await newAuthenticator().create(await signUpStart(browser, another), { credentialId });
    expectOneRow(await rowsOf(() => browser.post('/auth/passkey/register/verify', { credential: copied })), {
      ...refusal,
      target_name: another,
      details: { reason: 'passkey_already_registered' },
    });
  });
});

describe('a sign-in', () => {
  test('writes one event, whose actor is the user', async () => {
    const person = await signUp(service);
    const result = await rowsOf(() => logIn(service.browser(), person.authenticator));
    expect(result.answer.status).toBe(200);
    expectOneRow(result, {
      event: 'passkey.login',
      outcome: 'success',
      ...asActor(person),
      ...asPasskey(person),
    });
  });

  test('that fails before the passkey is verified writes one event without an actor, whose target is the owner of the passkey', async () => {
    const person = await signUp(service);
    const browser = service.browser();
    expectOneRow(await rowsOf(() => logIn(browser, person.authenticator, { tamper: wrongOrigin })), {
      event: 'passkey.login',
      outcome: 'failure',
      ...asTarget(person),
      details: { reason: 'origin_mismatch' },
    });
  });

  test.each([
    [
      'an unknown passkey',
      'credential_unknown',
      async (browser: TestAgent) => {
        const stranger = newAuthenticator();
        await stranger.create(await signUpStart(browser));
        return logIn(browser, stranger);
      },
    ],
    [
      'a challenge that the service did not create',
      'challenge_unknown',
      async (browser: TestAgent) => {
        const { authenticator } = await signUp(service);
        return logIn(browser, authenticator, { tamper: { clientData: { challenge: 'AAAA' } } });
      },
    ],
    [
      'the challenge of a sign-up',
      'challenge_of_another_kind',
      async (browser: TestAgent) => {
        const { authenticator } = await signUp(service);
        const { challenge } = await signUpStart(browser);
        return logIn(browser, authenticator, { tamper: { clientData: { challenge } } });
      },
    ],
    [
      'a challenge that was already used',
      'challenge_spent',
      async (browser: TestAgent) => {
        const { authenticator } = await signUp(service);
        const { options } = (await service.browser().post('/auth/passkey/login/start', {})).body;
        const credential = await authenticator.get(options);
        await browser.post('/auth/passkey/login/verify', { credential });
        return browser.post('/auth/passkey/login/verify', { credential });
      },
    ],
    [
      'the challenge of another browser',
      'challenge_of_another_browser',
      async (browser: TestAgent) => {
        const { authenticator } = await signUp(service);
        const { options } = (await service.browser().post('/auth/passkey/login/start', {})).body;
        const { challenge } = options;
        return logIn(browser, authenticator, { tamper: { clientData: { challenge } } });
      },
    ],
  ])('with %s writes one event with the reason', async (_, reason, act) => {
    const { answer, rows } = await rowsOf(() => act(service.browser()));
    // Earlier requests, such as the sign-up, also wrote rows.
    const failures = rows.filter(({ request_id }) => request_id === answer.headers.get('X-Request-Id'));
    expect(answer.status).toBe(401);
    expectOneRow(
      { answer, rows: failures },
      {
        event: 'passkey.login',
        outcome: 'failure',
        details: { reason },
      },
    );
  });

  test('to a disabled account writes one event, whose actor is the user', async () => {
    const person = await signUp(service);
    await service.database.sql`update latchkey.users set status = 'disabled' where id = ${userOf(person).id}`;
    expectOneRow(await rowsOf(() => logIn(service.browser(), person.authenticator)), {
      event: 'passkey.login',
      outcome: 'failure',
      ...asActor(person),
      ...asPasskey(person),
      details: { reason: 'user_disabled' },
    });
  });

  test('with a copied passkey writes one `passkey.clone_suspected` event', async () => {
    const person = await signUp(service, { authenticator: newAuthenticator({ counter: 5 }) });
    const copy = person.authenticator.clone();
    await logIn(service.browser(), person.authenticator);
    expectOneRow(await rowsOf(() => logIn(service.browser(), copy)), {
      event: 'passkey.clone_suspected',
      outcome: 'failure',
      ...asActor(person),
      ...asPasskey(person),
      details: { reason: 'counter_not_increased' },
    });
  });
});

describe('a step-up', () => {
  test('with another user’s passkey writes one event, whose target is that user', async () => {
    const [person, other] = [await signUp(service), await signUp(service)];
    const { options } = (await person.browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await other.authenticator.get({ ...options, allowCredentials: [] });
    expectOneRow(await rowsOf(() => person.browser.post('/auth/passkey/stepup/verify', { credential })), {
      event: 'passkey.stepup',
      outcome: 'failure',
      ...asActor(person),
      ...asTarget(other),
      details: { reason: 'credential_of_another_user' },
    });
  });

  test('writes one event, whether it succeeds or fails', async () => {
    const person = await signUp(service);
    const common = { event: 'passkey.stepup', ...asActor(person) };
    expectOneRow(await rowsOf(() => stepUp(person.browser, person.authenticator)), {
      ...common,
      outcome: 'success',
      ...asPasskey(person),
    });
    const { options } = (await person.browser.post('/auth/passkey/stepup/start', {})).body;
    const credential = await person.authenticator.get(options, wrongOrigin);
    expectOneRow(await rowsOf(() => person.browser.post('/auth/passkey/stepup/verify', { credential })), {
      ...common,
      outcome: 'failure',
      ...asTarget(person),
      details: { reason: 'origin_mismatch' },
    });
  });
});

describe('managing passkeys', () => {
  test('writes one event when a passkey is added, and one when a new passkey is rejected', async () => {
    const person = await signUp(service);
    const added = await rowsOf(() => addPasskey(person.browser, newAuthenticator(), { label: 'Blue key' }));
    const common = { event: 'passkey.add', ...asActor(person) };
    expectOneRow(added, {
      ...common,
      outcome: 'success',
      target_type: 'passkey',
      target_id: added.answer.body.device.id,
      target_name: 'Blue key',
      details: { aaguid: noModel },
    });
    expectOneRow(
      await rowsOf(() => addPasskey(person.browser, newAuthenticator(), { tamper: wrongOrigin })),
      {
        ...common,
        outcome: 'failure',
        target_type: 'user',
        target_id: userOf(person).id,
        details: { reason: 'origin_mismatch' },
      },
    );
  });

  test('writes one event for each rename and removal, and one when the last passkey cannot be removed', async () => {
    const person = await signUp(service);
    const { device } = (await addPasskey(person.browser)).body;
    const added = { target_type: 'passkey', target_id: device.id };
    expectOneRow(
      await rowsOf(() => person.browser.patch(`/auth/passkey/devices/${device.id}`, { label: 'Old key' })),
      { event: 'passkey.rename', outcome: 'success', ...asActor(person), ...added, target_name: 'Old key' },
    );
    expectOneRow(await rowsOf(() => person.browser.delete(`/auth/passkey/devices/${device.id}`)), {
      event: 'passkey.remove',
      outcome: 'success',
      ...asActor(person),
      ...added,
      target_name: 'Old key',
    });
    expectOneRow(await rowsOf(() => person.browser.delete(`/auth/passkey/devices/${passkeyId(person)}`)), {
      event: 'passkey.remove',
      outcome: 'failure',
      ...asActor(person),
      ...asPasskey(person),
      target_name: 'Passkey',
      details: { reason: 'last_credential' },
    });
  });
});

describe('ending sessions', () => {
  const asSession = (id: string) => ({ target_type: 'session', target_id: id });

  test('writes one event for a sign-out by `/auth/session`, and one for a sign-out by `/auth/sessions/:id`', async () => {
    const person = await signUp(service);
    const again = service.browser();
    const { session } = (await logIn(again, person.authenticator)).body;
    const common = { event: 'session.logout', outcome: 'success', ...asActor(person) };
    expectOneRow(await rowsOf(() => person.browser.delete('/auth/session')), {
      ...common,
      ...asSession(sessionId(person)),
    });
    expectOneRow(await rowsOf(() => again.delete(`/auth/sessions/${session.id}`)), {
      ...common,
      ...asSession(session.id),
    });
  });

  test('writes one event when another session is ended', async () => {
    const person = await signUp(service);
    const { session } = (await logIn(service.browser(), person.authenticator)).body;
    expectOneRow(await rowsOf(() => person.browser.delete(`/auth/sessions/${session.id}`)), {
      event: 'session.revoke',
      outcome: 'success',
      ...asActor(person),
      ...asSession(session.id),
    });
  });

  test('writes one event when several sessions are ended together', async () => {
    const person = await signUp(service);
    for (let other = 0; other < 3; other += 1) await logIn(service.browser(), person.authenticator);
    const result = await rowsOf(() => person.browser.delete('/auth/sessions'));
    expect(result.answer.body).toEqual({ ended: 3 });
    expectOneRow(result, {
      event: 'session.revoke_others',
      outcome: 'success',
      ...asActor(person),
      target_type: 'user',
      target_id: userOf(person).id,
      target_name: person.username,
    });
  });
});

describe('no audit event is written', () => {
  const acts: [string, number, (person: Person) => Promise<Answer>][] = [
    ['reading the session', 200, ({ browser }) => browser.get('/auth/session')],
    ['listing passkeys', 200, ({ browser }) => browser.get('/auth/passkey/devices')],
    [
      'starting a sign-up',
      200,
      ({ browser }) => browser.post('/auth/passkey/register/start', { username: newUsername() }),
    ],
    [
      'starting a sign-in',
      200,
      ({ browser, username }) => browser.post('/auth/passkey/login/start', { username }),
    ],
    ['starting a step-up', 200, ({ browser }) => browser.post('/auth/passkey/stepup/start', {})],
    ['starting to add a passkey', 200, ({ browser }) => browser.post('/auth/passkey/devices/add', {})],
    ['checking a username', 200, ({ browser }) => browser.get('/auth/username/availability?username=anna')],
    ['signing out without a session', 204, () => service.browser().delete('/auth/session')],
    [
      'renaming an unknown passkey',
      404,
      ({ browser }) => browser.patch(`/auth/passkey/devices/${unknownId}`, { label: 'x' }),
    ],
    [
      'removing an unknown passkey',
      404,
      ({ browser }) => browser.delete(`/auth/passkey/devices/${unknownId}`),
    ],
    ['ending an unknown session', 404, ({ browser }) => browser.delete(`/auth/sessions/${unknownId}`)],
    [
      'a malformed sign-in',
      400,
      ({ browser }) => browser.post('/auth/passkey/login/verify', { credential: {} }),
    ],
    ['a request without a session', 401, () => service.browser().get('/auth/sessions')],
  ];
  test.each(acts)('for %s (status %i)', async (_, status, act) => {
    const person = await signUp(service);
    const { answer, rows } = await rowsOf(() => act(person));
    expect(answer.status).toBe(status);
    expect(rows).toEqual([]);
  });
});

describe('audit events', () => {
  test('contain no token, no cookie and no challenge', async () => {
    const before = (await service.auditRows()).length;
    const browser = service.browser();
    const secrets = new Set<string>();
    const keep = (answer: Answer) => {
      for (const value of browser.cookies.values()) secrets.add(value);
      if (answer.body?.options) secrets.add(answer.body.options.challenge);
      return answer;
    };
    const watched: TestAgent = {
      ...browser,
      post: async (...request) => keep(await browser.post(...request)),
      delete: async (...request) => keep(await browser.delete(...request)),
    };
    const { authenticator } = await signUp(service, { browser: watched });
    const handle = authenticator.credentials[0]?.userHandle ?? '';
    await stepUp(watched, authenticator);
    await addPasskey(watched);
    await addPasskey(watched, newAuthenticator(), { tamper: wrongOrigin });
    await logIn(watched, authenticator);
    await logIn(watched, authenticator, { tamper: wrongOrigin });
    await watched.delete('/auth/session');
    const rows = (await service.auditRows()).slice(before);
    expect(rows).toHaveLength(7);
    expect(secrets.size).toBe(10);
    const text = JSON.stringify(rows);
    for (const secret of [...secrets, handle]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    ['updated', `update latchkey.audit_events set event = 'nothing.happened'`],
    ['updated to the same value', 'update latchkey.audit_events set event = event'],
    [
      'updated by a statement that matches no row',
      'update latchkey.audit_events set event = event where false',
    ],
    ['deleted', 'delete from latchkey.audit_events'],
    [
      'deleted one by one',
      'delete from latchkey.audit_events where id = (select min(id::text)::uuid from latchkey.audit_events)',
    ],
    ['truncated', 'truncate latchkey.audit_events'],
    ['truncated together with other tables', 'truncate latchkey.users, latchkey.audit_events cascade'],
    [
      'replaced',
      `insert into latchkey.audit_events select * from latchkey.audit_events limit 1
       on conflict (id) do update set event = 'nothing.happened'`,
    ],
    [
      'deleted by a merge',
      `merge into latchkey.audit_events using (select 1) as one on true when matched then delete`,
    ],
  ])('cannot be %s, not even with the rights of the table owner', async (_, statement) => {
    await signUp(service);
    const before = await service.auditRows();
    const { sql } = service.database;
    const [owner] = await sql`
      select tableowner = current_user as mine from pg_tables where tablename = 'audit_events'`;
    expect(owner).toEqual({ mine: true });
    await expect(sql.unsafe(statement)).rejects.toThrow('append-only');
    expect(await service.auditRows()).toEqual(before);
  });

  test.each([
    [
      'account.signup',
      async () => {
        const browser = service.browser();
        return async () => {
          const credential = await newAuthenticator().create(await signUpStart(browser));
          return browser.post('/auth/passkey/register/verify', { credential });
        };
      },
    ],
    [
      'passkey.login',
      async () => {
        const { authenticator } = await signUp(service);
        return () => logIn(service.browser(), authenticator);
      },
    ],
    [
      'passkey.stepup',
      async () => {
        const { browser, authenticator } = await signUp(service);
        return () => stepUp(browser, authenticator);
      },
    ],
    [
      'passkey.add',
      async () => {
        const { browser } = await signUp(service);
        return () => addPasskey(browser);
      },
    ],
    [
      'passkey.rename',
      async () => {
        const person = await signUp(service);
        return () => person.browser.patch(`/auth/passkey/devices/${passkeyId(person)}`, { label: 'x' });
      },
    ],
    [
      'passkey.remove',
      async () => {
        const person = await signUp(service);
        await addPasskey(person.browser);
        return () => person.browser.delete(`/auth/passkey/devices/${passkeyId(person)}`);
      },
    ],
    [
      'session.logout',
      async () => {
        const { browser } = await signUp(service);
        return () => browser.delete('/auth/session');
      },
    ],
    [
      'session.revoke',
      async () => {
        const { browser, authenticator } = await signUp(service);
        const { session } = (await logIn(service.browser(), authenticator)).body;
        return () => browser.delete(`/auth/sessions/${session.id}`);
      },
    ],
    [
      'session.revoke_others',
      async () => {
        const { browser, authenticator } = await signUp(service);
        await logIn(service.browser(), authenticator);
        return () => browser.delete('/auth/sessions');
      },
    ],
    [
      'session.end_oldest',
      async () => {
        const person = await signUp(service);
        await fillSessions(service.database.sql, userIdOf(person));
        return () => logIn(service.browser(), person.authenticator);
      },
    ],
  ])('prevent the change if they cannot be written: %s', async (event, prepare) => {
    const act = await prepare();
    const { sql } = service.database;
    const everything = async () => [
      await sql`select * from latchkey.users order by id`,
      await sql`select * from latchkey.passkeys order by id`,
      await sql`select * from latchkey.sessions order by id`,
    ];
    const before = await everything();
    await sql.unsafe(
      `alter table latchkey.audit_events add constraint full_log check (event <> '${event}') not valid`,
    );
    try {
      expect((await act()).status).toBe(500);
      expect(await everything()).toEqual(before);
    } finally {
      await sql.unsafe('alter table latchkey.audit_events drop constraint full_log');
    }
    expect((await act()).status).toBeLessThan(300);
    expect(await everything()).not.toEqual(before);
  });
});
