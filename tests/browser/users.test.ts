import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const names = [
  'Iris Smith',
  'عبد العزيز آل سعود',
  'דנה כהן',
  '🦊 Foxy 👩‍👩‍👧‍👦',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenpolitur',
  '=HYPERLINK("https://evil.example")',
];

// One story. Each test continues where the previous test ended.
story('users', () => {
  let stage: Stage;
  let root: Person;
  let ben: Person;

  const rows = () => root.page.locator('tbody').getByRole('row').count();
  const chip = (name: string) => root.page.getByRole('button', { name, exact: true });
  const search = (person = root) => person.page.getByLabel('Search names and usernames');
  const path = () => root.page.evaluate<string>('location.pathname + location.search');
  const idOf = async (username: string): Promise<string> => {
    const [row] = await stage.database.sql`select id from latchkey.users where username = ${username}`;
    return row?.id;
  };
  const region = (name: string, person = root) => person.page.getByRole('region', { name, exact: true });
  const act = (name: string, choice: string) => choose(root.page, new RegExp(`Actions for ${name}$`), choice);

  beforeAll(async () => {
    stage = await setStage({ env: { IMPERSONATION: 'on' } });
    root = await createPerson(stage, 'root-of-all');
    ben = await createPerson(stage, 'ben.smith');
    await signUp(root);
    await signUp(ben);
    await fill(stage);
  });
  afterAll(() => stage?.close());

  test('two hundred users are on eight pages, and the URL contains the page', async () => {
    await root.goTo('/admin/users');
    await root.page.getByText('1–25 of 200', { exact: true }).waitFor();
    await root.page.getByText('Page 1 of 8', { exact: true }).waitFor();
    expect(await rows()).toBe(25);
    await photograph(root.page, 'users');
    await root.button('Next page').click();
    await root.page.getByText('26–50 of 200', { exact: true }).waitFor();
    const second = await root.page.locator('tbody .person__name').allInnerTexts();
    await root.reload();
    await root.page.getByText('26–50 of 200', { exact: true }).waitFor();
    expect(await root.page.locator('tbody .person__name').allInnerTexts()).toEqual(second);
    await root.button('Next page').click();
    await root.page.getByText('Page 3 of 8', { exact: true }).waitFor();
    await root.button('Previous page').click();
    await root.page.getByText('Page 2 of 8', { exact: true }).waitFor();
    await expect.poll(() => root.page.locator('tbody .person__name').allInnerTexts()).toEqual(second);
    await root.page.goBack();
    await root.page.getByText('Page 3 of 8', { exact: true }).waitFor();
  });

  test('the search finds parts of names, and the back button restores the earlier list', async () => {
    await root.goTo('/admin/users');
    await search().fill('smith');
    await root.page.getByText('1–2 of 2', { exact: true }).waitFor();
    expect(await path()).toBe('/admin/users?search=smith');
    await root.row('ben.smith').waitFor();
    await root.row('Iris Smith').waitFor();
    await chip('Admins 1').click();
    await expect.poll(rows).toBe(1);
    expect(await path()).toBe('/admin/users?search=smith&role=admin');
    await root.page.goBack();
    await expect.poll(rows).toBe(2);
    await root.page.goBack();
    await root.page.getByText('1–25 of 200', { exact: true }).waitFor();
    expect(await search().inputValue()).toBe('');
    await root.page.goForward();
    await expect.poll(rows).toBe(2);
    expect(await search().inputValue()).toBe('smith');
  });

  test('a search without a match repeats the text, and offers to clear the filters or the search', async () => {
    await search().fill('qwerty');
    await root.page.getByText('No users match “qwerty”').waitFor();
    await search().fill('ben.smith');
    await root.row('ben.smith').waitFor();
    await chip('Admins 0').click();
    await root.page.getByText('No users match “ben.smith”').waitFor();
    await root.page.getByText('1 user matches the search, but not the filters.').waitFor();
    await photograph(root.page, 'users-no-match');
    await root.button('Clear filters').click();
    await root.row('ben.smith').waitFor();
    await root.button('Clear search').first().click();
    await root.page.getByText('1–25 of 200', { exact: true }).waitFor();
    expect(await path()).toBe('/admin/users');
  });

  test('the columns sort in both directions, and the filters count their users', async () => {
    await root.button('Joined').click();
    await expect.poll(path).toBe('/admin/users?sort=createdAt&order=desc');
    await settled(root.page);
    await root.button('Joined').click();
    await expect.poll(path).toBe('/admin/users?sort=createdAt');
    await root.page
      .getByRole('columnheader', { name: 'Joined' })
      .and(root.page.locator('[aria-sort=ascending]'))
      .waitFor();
    await settled(root.page);
    await root.button('Last sign-in').click();
    await expect
      .poll(() => root.page.locator('tbody .person__name').first().innerText())
      .toMatch(/^ben\.smith/);
    await chip('No passkey 198').click();
    await root.page.getByText('1–25 of 198', { exact: true }).waitFor();
    await chip('Disabled 10').click();
    await root.page.getByText('1–10 of 10', { exact: true }).waitFor();
    expect(await path()).toBe('/admin/users?status=disabled&passkey=no&sort=lastSignIn&order=desc');
    await chip('All 200').click();
    await root.page.getByText('1–25 of 200', { exact: true }).waitFor();
  });

  test('a filter shows the members of one organization, and the CSV file contains only them', async () => {
    await root.goTo('/admin/users');
    await choose(root.page, /^Organization ?:/, 'Engines');
    await root.page.getByText('1–2 of 2', { exact: true }).waitFor();
    const url = '/admin/users?organization=0199aa00-0000-7000-8000-00000000000a';
    expect(await path()).toBe(url);
    await chip('Members 2').waitFor();
    await photograph(root.page, 'users-organization');
    const [download] = await Promise.all([
      root.page.waitForEvent('download'),
      root.button('Export CSV').click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['username', 'ben.smith', 'person-010']);
    await root.reload();
    await root.page.getByText('1–2 of 2', { exact: true }).waitFor();
    await chip('No passkey 1').click();
    await expect.poll(rows).toBe(1);
    await root.button('Remove filter: Organization: Engines').click();
    await expect.poll(path).toBe('/admin/users?passkey=no');
  });

  test('the CSV file contains all users of the filtered list, and no formulas', async () => {
    await root.goTo('/admin/users?status=active&sort=createdAt');
    const [download] = await Promise.all([
      root.page.waitForEvent('download'),
      root.button('Export CSV').click(),
    ]);
    expect(download.suggestedFilename()).toBe('users.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFusername,displayName,role,status,passkeys,organizations,lastSignInAt,lastSignInMethod,createdAt,id',
    );
    expect(lines).toHaveLength(192);
    expect(lines.filter((line) => line.startsWith('ben.smith,,user,active,1,1,2'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(`"'=HYPERLINK(""https://evil.example"")"`))).toHaveLength(1);
    expect(lines.filter((line) => /(^|,)"?=/.test(line))).toEqual([]);
  });

  test('a click anywhere on a row opens the page of the user, and a link leads back to the same list', async () => {
    await root.goTo('/admin/users?search=ben.smith');
    await root.row('ben.smith').click({ position: { x: 500, y: 20 } });
    await root.heading('Sign-in methods').waitFor();
    expect(await path()).toBe(`/admin/users/${await idOf('ben.smith')}`);
    await photograph(root.page, 'person');
    await root.page.getByRole('link', { name: 'Users', exact: true }).last().click();
    await expect.poll(path).toBe('/admin/users?search=ben.smith');
    await root.row('ben.smith').getByRole('link').focus();
    await root.page.keyboard.press('Enter');
    await root.heading('Sign-in methods').waitFor();
  });

  test('the page of a user shows the sign-in methods, the sessions, the memberships and the activity', async () => {
    await region('Sign-in methods').getByText('No password').waitFor();
    await region('Sign-in methods').getByText('No recovery codes').waitFor();
    expect(await region('Sign-in methods').getByRole('listitem').count()).toBe(3);
    await expect.poll(() => region('Sessions').getByRole('listitem').count()).toBe(1);
    await region('Sessions')
      .getByText(/^Passkey: /)
      .waitFor();
    await region('Memberships').getByRole('link', { name: 'Engines' }).waitFor();
    await region('Activity').getByText('signed up').waitFor();
    await region('User ID')
      .getByText(await idOf('ben.smith'))
      .waitFor();
    const links = region('Activity').getByRole('link');
    expect(await attributes(links, 'href')).toEqual([
      '/admin/activity?actor=ben.smith',
      '/admin/activity?target=ben.smith',
    ]);
  });

  test('a superadmin ends one session on the page of a user, and the others stay', async () => {
    await stage.database.sql`
      insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at,
        ends_at, expires_at, ip, user_agent, epoch)
      select gen_random_uuid(), id, 'stolen', 'full', 'password', now(), now() - interval '1 hour', now(),
        now() + interval '1 day', now() + interval '1 day', '203.0.113.9',
        'Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/130.0', session_epoch
      from latchkey.users where username = 'ben.smith'`;
    await root.reload();
    await region('Sessions').getByRole('button', { name: 'End session of Firefox on Linux' }).click();
    const dialog = root.dialog('End this session of ben.smith?');
    await dialog.getByText('ben.smith is signed out in Firefox on Linux.').waitFor();
    await photograph(root.page, 'person-end-session');
    await dialog.getByRole('button', { name: 'End session' }).click();
    await root.page.getByText('Ended a session of ben.smith', { exact: true }).waitFor();
    await region('Sessions').getByText('203.0.113.9').waitFor({ state: 'detached' });
    await expect.poll(() => region('Sessions').getByRole('listitem').count()).toBe(1);
    await region('Activity').getByText('ended a session').waitFor();
    const ended = await stage.database.sql`select id from latchkey.sessions where token_hash = 'stolen'`;
    expect(ended).toHaveLength(0);
  });

  test('the list of organizations shows the numbers of members', async () => {
    await root.goTo('/organizations');
    await root.page.getByText('2 members', { exact: true }).waitFor();
    await photograph(root.page, 'organizations-counted');
    await root.page.goBack();
    await root.heading('Sign-in methods').waitFor();
  });

  test('a disabled user’s page says why, by whom and since when, and enables the user again', async () => {
    await stage.age();
    await act('ben.smith', 'Disable account');
    await root.dialog('Disable ben.smith?').getByText('1 session ends').waitFor();
    await root.page.getByLabel('Reason').fill('Left the company');
    await photograph(root.page, 'person-disable');
    await root.dialog('Disable ben.smith?').getByRole('button', { name: 'Disable account' }).click();
    await root.page.getByText('ben.smith was disabled. All sessions ended.').waitFor();
    await root.page.getByText('ben.smith can’t sign in: the account is disabled').waitFor();
    await root.page.getByText(/Disabled by root-of-all, .+\. Reason: Left the company\./).waitFor();
    await region('Sessions').getByText('Not signed in anywhere.').waitFor();
    await photograph(root.page, 'person-disabled');
    await root.button('Enable account').click();
    await root.dialog('Enable ben.smith?').getByRole('button', { name: 'Enable account' }).click();
    await root.page.getByText('ben.smith was enabled').waitFor();
    await expect.poll(() => root.page.getByText('can’t sign in').count()).toBe(0);
  });

  test('the page of a user says why a sign-in was refused, and that a user has no sign-in method', async () => {
    await stage.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_id, target_name, details)
      select gen_random_uuid(), now(), 'password.login', 'failure', 'anonymous', 'user', id, username,
        '{"reason": "no_password"}'
      from latchkey.users where username = 'ben.smith'`;
    await root.reload();
    await root.page.getByText('The last sign-in was refused').waitFor();
    await root.page.getByText(/tried a password, but the account has none/).waitFor();

    await root.goTo(`/admin/users/${await idOf('person-003')}`);
    await root.page.getByText('person-003 has no way to sign in').waitFor();
    await root.button('Create recovery link').click();
    await root
      .dialog('Create a recovery link for person-003?')
      .getByRole('button', { name: 'Create recovery link' })
      .click();
    await root.dialog('Recovery link for person-003').waitFor();
    await root.button('Done').click();
    await region('Sign-in methods').getByText('Created by root-of-all').waitFor();
    await root.page.getByText('A recovery link is waiting for the user.').waitFor();
    await photograph(root.page, 'person-no-way-in');
  });

  test('a superadmin changes the role on the page of a user, and deletes the user after typed confirmation', async () => {
    await act('person-003', 'Change role');
    await root.page.getByRole('radio', { name: /^Admin/ }).check();
    await root.button('Change role').click();
    await root.page.getByText('The role of person-003 is now admin').waitFor();
    await settled(root.page);
    const deleted = await path();
    await act('person-003', 'Delete account');
    const dialog = root.dialog('Delete person-003?');
    await dialog.getByRole('textbox').fill('person-004');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('Type person-003 exactly as shown.').waitFor();
    await dialog.getByRole('textbox').fill('person-003');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await root.page.getByText('person-003 was deleted').waitFor();
    expect(await root.page.evaluate('location.pathname')).toBe('/admin/users');

    stage.complaints.expect(/404/);
    for (const unknown of [deleted, '/admin/users/of-nobody']) {
      await root.goTo(unknown);
      await root.heading('User not found').waitFor();
    }
    await photograph(root.page, 'person-not-found');
  });

  test('the only superadmin sees why actions on their own account are not possible', async () => {
    await root.goTo(`/admin/users/${await idOf('root-of-all')}`);
    await root.button(/Actions for root-of-all$/).click();
    const items = root.page.getByRole('menuitem');
    expect(await attributes(items, 'aria-disabled')).toEqual(['true', 'true', 'true']);
    await items.first().getByText('Not possible for the only active superadmin').waitFor();
    await items.first().click({ force: true });
    expect(await root.page.getByRole('dialog').count()).toBe(0);
    await root.page.keyboard.press('Escape');
  });

  test('an admin sees no sign-ins, sessions or addresses of members', async () => {
    await stage.database.sql`
      update latchkey.users set role = 'admin' where username = 'ben.smith'`;
    await ben.goTo('/signin');
    await ben.button('Sign in with a passkey').click();
    await ben.heading('Hello, ben.smith').waitFor();
    await ben.goTo('/admin/users');
    await ben.page.getByText('1–2 of 2', { exact: true }).waitFor();
    expect(await ben.page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Name',
      'Role',
      'Status',
      'Joined',
      'Actions',
    ]);
    expect(await ben.page.getByRole('button', { name: /^No passkey/ }).count()).toBe(0);
    await ben.page.getByRole('link', { name: 'person-010' }).click();
    await ben.heading('Sign-in methods').waitFor();
    await region('Memberships', ben).getByText('Engines').waitFor();
    const shown = await ben.page.locator('main').innerText();
    for (const hidden of ['Last sign-in', 'Sessions', '203.0.113.7', 'Firefox', 'Used'])
      expect(shown).not.toContain(hidden);
    await photograph(ben.page, 'person-of-admin');
    stage.complaints.expect(/404/);
    await ben.goTo(`/admin/users/${await idOf('person-011')}`);
    await ben.heading('User not found').waitFor();
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

const attributes = async (elements: Locator, name: string) =>
  Promise.all((await elements.all()).map((element) => element.getAttribute(name)));

/** Inserts 198 users, ten of them disabled, and an organization that ben.smith manages, with one other member. */
async function fill({ database: { sql } }: Stage): Promise<void> {
  await sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
  await sql`
    insert into latchkey.users (id, username, display_name, role, status, user_handle, created_at)
    select gen_random_uuid(), 'person-' || to_char(n, 'FM000'), (${names}::text[])[n],
      case when n = 1 then 'admin' else 'user' end, case when n % 19 = 18 then 'disabled' else 'active' end,
      'handle-' || n, now() - n * interval '1 day'
    from generate_series(1, 198) n`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    values ('0199aa00-0000-7000-8000-00000000000a', 'Engines', 'engines', now())`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select organizations.id, users.id, case when username = 'ben.smith' then 'admin' else 'user' end, now()
    from latchkey.organizations, latchkey.users where username in ('ben.smith', 'person-010')`;
  await sql`
    insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at,
      ends_at, expires_at, ip, user_agent, epoch)
    select gen_random_uuid(), id, 'hash', 'full', 'password', now(), now(), now(), now() + interval '1 day',
      now() + interval '1 day', '203.0.113.7', 'Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/130.0', 0
    from latchkey.users where username = 'person-010'`;
}
