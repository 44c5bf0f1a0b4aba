import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('the overview', () => {
  let stage: Stage;
  let root: Person;
  let ada: Person;

  const region = (name: string | RegExp) => root.page.getByRole('region', { name });
  const figure = (name: string) =>
    root.page.locator('.figure').filter({ has: root.page.getByText(name, { exact: true }) });
  const choosePeriod = async (name: string) => {
    await root.page.getByRole('radio', { name, exact: true }).check();
    await settled(root.page);
  };

  beforeAll(async () => {
    stage = await setStage();
    [root, ada] = [await createPerson(stage, 'root-of-all'), await createPerson(stage, 'ada')];
    for (const person of [root, ada]) await signUp(person);
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
    await sql`update latchkey.users set role = 'admin' where username = 'ada'`;
  });
  afterAll(() => stage?.close());

  test('shows all figures of a new service, without changes since the previous period', async () => {
    await root.goTo('/admin/overview');
    expect(await figure('Sign-ins').innerText()).toContain('0');
    expect(await figure('Refused sign-ins').innerText()).toContain('Unchanged');
    expect(await figure('Active users').innerText()).toMatch(/2\s*of 2/);
    expect(await figure('Users with a passkey').innerText()).toContain('100%');
    await region('How users sign in').getByText('No sign-ins in this period.').waitFor();
    await region('Latest activity').getByText('signed up').first().waitFor();
    await photograph(root.page, 'overview-new');
  });

  test('is closed to users without the capability, and not linked on their pages', async () => {
    await ada.goTo('/');
    expect(await ada.page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
    expect(await ada.page.getByText('Service, last 7 days').count()).toBe(0);
    await ada.goTo('/admin/overview');
    await ada.page.getByText('Only superadmins can open this page.').waitFor();
  });

  test('compares sign-ins and refusals with the previous period', async () => {
    await addHistory(stage);
    await root.goTo('/admin/overview?period=7d');
    expect(await figure('Sign-ins').innerText()).toMatch(/Sign-ins\s*6\s*up\s*100%/);
    expect(await figure('Refused sign-ins').innerText()).toMatch(/40\s*None in the previous period/);
    expect(await figure('Users with a passkey').innerText()).toMatch(
      /40%[\s\S]*Two or more passkeys 0% · Recovery codes 0%/,
    );
    const methods = region('How users sign in').getByRole('row');
    expect(await methods.allInnerTexts()).toEqual([
      'Passkey\t4\t67%',
      'Password\t2\t33%',
      'Recovery code\t0\t0%',
      'Recovery link\t0\t0%',
    ]);
    await root.goTo('/');
    expect(await region('Service, last 7 days').innerText()).toMatch(
      /Sign-ins\s*6[\s\S]*Refused\s*40[\s\S]*40%\s*6 users/,
    );
  });

  test('keeps the period in the URL', async () => {
    await root.page.getByRole('link', { name: 'Open overview' }).click();
    await settled(root.page);
    expect(root.page.url()).toBe(`${stage.origin}/admin/overview?period=7d`);
    expect(await root.page.getByRole('radio', { name: '7 d' }).isChecked()).toBe(true);
    await choosePeriod('30 d');
    expect(root.page.url()).toBe(`${stage.origin}/admin/overview`);
    expect(await figure('Sign-ins').innerText()).toMatch(/Sign-ins\s*9/);
    await choosePeriod('24 h');
    await root.reload();
    expect(root.page.url()).toBe(`${stage.origin}/admin/overview?period=24h`);
    expect(await figure('Sign-ins').innerText()).toMatch(/Sign-ins\s*0/);
    await root.page.getByText('Sign-ins per hour').first().waitFor();
  });

  test('has a table with the numbers of the chart', async () => {
    await choosePeriod('7 d');
    await root.page.getByText('Show as a table').click();
    const rows = root.page.getByRole('table', { name: 'Sign-ins per day' }).getByRole('row');
    expect(await rows.count()).toBe(8);
    const numbers = (await rows.allInnerTexts()).slice(1).map((row) => row.split('\t').slice(1).map(Number));
    const sums = numbers.reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0]);
    expect(sums).toEqual([6, 40]);
    await photograph(root.page, 'overview');
  });

  test('says what needs attention, and links to the users', async () => {
    const attention = region('Needs attention');
    const linkAt = (title: string) =>
      attention
        .getByRole('listitem')
        .filter({ hasText: title })
        .getByRole('link', { name: `View – ${title}` })
        .getAttribute('href');
    expect(await linkAt('You’re the only superadmin')).toBe('/admin/users');
    expect(await linkAt('One superadmin has fewer than two passkeys')).toBe('/admin/users?role=superadmin');
    expect(await linkAt('One admin has no passkey')).toBe('/admin/users?role=admin&passkey=no');
    expect(await linkAt('2 users can’t sign in')).toBe('/admin/users?status=active&passkey=no');
    expect(await linkAt('One disabled user')).toBe('/admin/users?status=disabled');
    expect(await linkAt('One pending invitation')).toBe('/admin/invitations?status=pending');
    await attention.getByRole('link', { name: 'View – One pending invitation' }).click();
    await root.row('grace').getByText('Pending', { exact: true }).waitFor();
    expect(await root.button('Pending').getAttribute('aria-pressed')).toBe('true');
  });

  test('opens the form for an invitation of an admin', async () => {
    await root.goTo('/admin/overview');
    await root.page.getByRole('link', { name: 'Invite admin' }).click();
    const form = root.dialog('New invitation');
    expect(await form.getByLabel('Purpose').inputValue()).toBe('admin');
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(root.page.url()).toBe(`${stage.origin}/admin/invitations`);
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/**
 * Adds users without passkeys and a disabled user. Adds 6 sign-ins and 40 refusals in the last week, and 3 sign-ins in
 * the week before.
 */
async function addHistory({ database: { sql } }: Stage): Promise<void> {
  await sql`
    insert into latchkey.users (id, username, role, status, user_handle, created_at, password_hash)
    select gen_random_uuid(), username, role, status, username, now(), password_hash
    from (values ('bare-admin', 'admin', 'active', 'x'), ('lost-1', 'user', 'active', null),
      ('lost-2', 'user', 'active', null), ('off', 'user', 'disabled', 'x'))
      as made (username, role, status, password_hash)`;
  const add = (event: string, outcome: string, day: number, times: number, count: number | null = null) =>
    sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, details, count)
      select gen_random_uuid(), now() - ${day} * interval '1 day', ${event}, ${outcome}, 'user', users.id,
        users.username, '{}', ${count}::integer
      from latchkey.users, generate_series(1, ${times}) where username = 'ada'`;
  await add('passkey.login', 'success', 2, 4);
  await add('password.login', 'success', 3, 2);
  await add('password.login', 'failure', 3, 1, 40);
  await add('passkey.login', 'success', 9, 3);
  await sql`select latchkey.count_sign_ins(500)`;
  await sql`
    insert into latchkey.invitations (id, token_hash, role, username, created_by, created_at, expires_at)
    select gen_random_uuid(), 'hash', 'admin', 'grace', users.id, now(), now() + interval '3 days'
    from latchkey.users where username = 'root-of-all'`;
}
