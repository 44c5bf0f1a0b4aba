import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPerson, type Person, signUp } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { inChromium } from './support/story.ts';

const password = 'eight ships in a bottle';
const most = 3;

inChromium('from the home page, in at most three clicks, an administrator', () => {
  let stage: Stage;
  let root: Person;
  let ben: Person;
  let clicks: number;

  /** Clicks once, and expects that three clicks are enough. */
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
    expect(clicks, `clicks with ${target}`).toBeLessThanOrEqual(most);
  };
  const clickLink = async (name: string, within: Locator = root.page.locator('body')) => {
    await click(within.getByRole('link', { name, exact: true }));
    await settled(root.page);
  };
  /** Types into the field that has the focus after a click. */
  const type = async (text: string) => {
    await root.page.locator('input:focus').waitFor();
    await root.page.keyboard.type(text);
  };
  const region = (name: string) => root.page.getByRole('region', { name, exact: true });
  /** Opens the page of a user. The search has the focus after the click, so the name and Enter need no click. */
  const findUser = async (username: string) => {
    await click(root.button('Search or jump to…'));
    await type(username);
    await root.page.getByRole('option', { name: username }).waitFor();
    await root.page.keyboard.press('Enter');
    await root.heading(username).waitFor();
    await settled(root.page);
  };
  const idOf = async (username: string): Promise<string> => {
    const [row] = await stage.database.sql`select id from latchkey.users where username = ${username}`;
    return row?.id;
  };
  /** Adds a session in another browser. Returns its id. */
  const addSession = async (username: string): Promise<string> => {
    const [row] = await stage.database.sql`
      insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at,
        authenticated_at, ends_at, expires_at, ip, user_agent, epoch)
      select gen_random_uuid(), id, 'hash-of-' || username, 'full', 'password', now(), now(), now(),
        now() + interval '1 day', now() + interval '1 day', '203.0.113.7',
        'Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/130.0', session_epoch
      from latchkey.users where username = ${username} returning id`;
    return row?.id;
  };

  beforeAll(async () => {
    stage = await setStage({ env: { RATE_LIMIT: 'on' } });
    [root, ben] = [await createPerson(stage, 'root-of-all'), await createPerson(stage, 'ben')];
    for (const person of [root, ben]) await signUp(person);
    expect(await ben.page.evaluate(send, ['POST', '/auth/password/add', { password }])).toBe(201);
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
    await sql`
      with made as (
        insert into latchkey.organizations (id, name, slug, created_at)
        values (gen_random_uuid(), 'Engines', 'engines', now()) returning id
      )
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select made.id, users.id, 'admin', now() from made, latchkey.users where username = 'root-of-all'`;
    const [event] = await sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, details)
      select gen_random_uuid(), now() - days * interval '1 day', 'passkey.login', 'success', 'user', name, '{}'
      from (values ('carla', 1), ('dana', 3)) as signed_in (name, days)
      returning now() as now`;
    // The story can begin shortly before midnight.
    await root.page.clock.setFixedTime(event?.now);
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    await root.goTo('/');
    clicks = 0;
  });

  test('finds out who signed in yesterday', async () => {
    await clickLink('Activity');
    await click(root.button('Sign-ins'));
    await click(root.page.getByRole('radio', { name: 'Yesterday' }));
    await expect
      .poll(async () => (await root.page.locator('.event__sentence').allInnerTexts()).map(oneLine))
      .toEqual(['carla signed in with a passkey']);
    expect(new URL(root.page.url()).search).toBe('?type=sign-ins&outcome=success&period=yesterday');
  });

  test('sees that a user is disabled, who disabled the user and why, and enables the user', async () => {
    await root.goTo('/');
    await root.page.evaluate(send, [
      'POST',
      `/auth/admin/users/${await idOf('ben')}/disable`,
      { reason: 'Lost laptop' },
    ]);
    await findUser('ben');
    await root.page.getByText('ben can’t sign in: the account is disabled').waitFor();
    await root.page.getByText(/Disabled by root-of-all, .+ Reason: Lost laptop\./).waitFor();
    await click(root.button('Enable account'));
    await click(root.dialog('Enable ben?').getByRole('button', { name: 'Enable account' }));
    await root.page.getByText('ben was enabled').waitFor();
  });

  test('finds out that a user has no way to sign in, and creates a recovery link', async () => {
    await stage.database.sql`
      insert into latchkey.users (id, username, user_handle, created_at)
      values (gen_random_uuid(), 'eve', 'handle-of-eve', now())`;
    await findUser('eve');
    await root.page.getByText('eve has no way to sign in').waitFor();
    await click(root.button('Create recovery link'));
    const dialog = root.dialog('Create a recovery link for eve?');
    await click(dialog.getByRole('button', { name: 'Create recovery link' }));
    await root.dialog('Recovery link for eve').waitFor();
  });

  test('finds out that the service blocks the passwords of a user after too many wrong ones', async () => {
    const wrong = ['POST', '/auth/password/login', { username: 'ben', password: 'seven ships' }];
    stage.complaints.expect(/status of (401|429)/);
    let status = 401;
    for (let attempts = 0; status === 401; attempts++) {
      expect(attempts).toBeLessThan(20);
      status = await ben.page.evaluate(send, wrong);
    }
    expect(status).toBe(429);
    // The list of users leads to the same answer.
    await clickLink('Users');
    await click(root.page.getByLabel('Search names and usernames'));
    await type('ben');
    await root.page.getByText('1–1 of 1', { exact: true }).waitFor();
    await clickLink('ben');
    await root.page.getByText('The last sign-in was refused').waitFor();
    await root.page.getByText(/^The password was wrong .+ the service blocks further attempts/).waitFor();
  });

  test('invites a colleague who has no account', async () => {
    await clickLink('Invitations');
    await click(root.button('Invite user'));
    await click(root.button('Create invitation'));
    await root.dialog('New invitation link').waitFor();
  });

  test('invites a colleague into an organization', async () => {
    await clickLink('Engines', region('Your organizations'));
    await click(root.button('Invite members'));
    // The field has the focus.
    await type('ben');
    await root.page.getByRole('option', { name: 'ben' }).first().waitFor();
    await root.page.keyboard.press('Enter');
    await click(root.button('Create invitation'));
    await region('Pending invitations').getByRole('heading', { name: 'ben' }).waitFor();
  });

  test('ends a stolen session of their own account', async () => {
    const { sql } = stage.database;
    const stolen = await addSession('root-of-all');
    await clickLink('Open sessions and passkeys');
    await click(root.button('End session of Firefox on Linux'));
    await root.page.getByText('The session was ended').waitFor();
    expect(await sql`select 1 from latchkey.sessions where id = ${stolen}`).toHaveLength(0);
  });

  test('ends one stolen session of another user', async () => {
    const { sql } = stage.database;
    const stolen = await addSession('ben');
    await findUser('ben');
    await click(root.button('End session of Firefox on Linux'));
    await click(root.dialog('End this session of ben?').getByRole('button', { name: 'End session' }));
    await region('Sessions').getByText('Not signed in anywhere.').waitFor();
    expect(await sql`select 1 from latchkey.sessions where id = ${stolen}`).toHaveLength(0);
  });

  test('ends all sessions of a user whose session was stolen', async () => {
    await addSession('ben');
    await findUser('ben');
    await region('Sessions').getByText('Firefox on Linux', { exact: true }).waitFor();
    await click(root.button('End all'));
    await click(root.dialog('End all sessions of ben?').getByRole('button', { name: 'End all sessions' }));
    await region('Sessions').getByText('Not signed in anywhere.').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Runs in the page. Sends a request with the session of the page. Returns the status. */
const send = async ([method, path, body]: unknown[]): Promise<number> => {
  const init = {
    method: `${method}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${path}`, init);
  await response.text();
  return response.status;
};
