import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyboardOf } from './support/keyboard.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const engines = '0199aa00-0000-7000-8000-00000000000a';

// One story without a mouse. Each test continues where the previous test ended.
story('an administrator with only the keyboard', () => {
  let stage: Stage;
  let root: Person;

  const { press, type, focused, tabTo } = keyboardOf(() => root);
  const path = () => root.page.evaluate<string>('location.pathname + location.search');
  const dialogs = () => root.page.getByRole('dialog').count();
  /** Presses Tab ten times. Returns the names of the focused elements, without the browser's own controls. */
  const tabStops = async (): Promise<Set<string>> => {
    const stops = new Set([await focused()]);
    for (let steps = 0; steps < 10; steps++) {
      await press('Tab');
      stops.add(await focused());
    }
    stops.delete('');
    return stops;
  };

  /** Waits until the page knows that the browser has closed the menu or the popover. */
  const closed = () => expect.poll(() => root.page.locator('[aria-expanded=true]').count()).toBe(0);
  const chooseDisable = async () => {
    await expect.poll(focused).toMatch(/^Change role…/);
    while (!(await focused()).startsWith('Disable account…')) await press('ArrowDown');
    await press('Enter');
  };

  beforeAll(async () => {
    stage = await setStage();
    root = await createPerson(stage, 'root-of-all');
    await signUp(root);
    await fill(stage);
  });
  afterAll(() => stage?.close());

  test('searches, filters and sorts the users, and turns the pages', async () => {
    await root.goTo('/admin/users');
    await tabTo('Search names and usernames');
    await type('person');
    await root.page.getByText('1–25 of 40', { exact: true }).waitFor();
    await settled(root.page);
    await tabTo(/^No passkey/);
    await press('Space');
    await expect.poll(path).toBe('/admin/users?search=person&passkey=no');
    await settled(root.page);
    expect(await focused()).toMatch(/^No passkey/);
    await tabTo('Joined');
    await press('Enter');
    await expect.poll(path).toMatch(/&sort=createdAt&order=desc$/);
    await settled(root.page);
    expect(await focused()).toBe('Joined');
    await tabTo('Next page');
    await press('Enter');
    await root.page.getByText('26–40 of 40', { exact: true }).waitFor();
    await settled(root.page);
    expect(await focused()).toBe('Next page');
    await press('Shift+Tab');
    expect(await focused()).toBe('Previous page');
    await press('Enter');
    await root.page.getByText('1–25 of 40', { exact: true }).waitFor();
  });

  test('opens a user, cancels a dialog with Escape, and disables the user', async () => {
    await root.goTo('/admin/users?search=person-007');
    await tabTo('person-007');
    await press('Enter');
    // The link in the list has the same name as the heading of the user's page.
    await root.heading('person-007').waitFor();
    await expect.poll(focused).toBe('person-007');
    await settled(root.page);
    await tabTo(/^Actions/);
    await press('Enter');
    await chooseDisable();
    await root.dialog('Disable person-007?').waitFor();
    expect(await tabStops()).toEqual(new Set(['Reason (optional)', 'Cancel', 'Disable account']));
    await press('Escape');
    await expect.poll(dialogs).toBe(0);
    await expect.poll(focused).toMatch(/^Actions/);
    await press('Enter');
    await chooseDisable();
    await expect.poll(focused).toBe('Reason (optional)');
    await type('Left the company');
    await tabTo('Disable account');
    await press('Enter');
    await root.page.getByText('person-007 can’t sign in: the account is disabled').waitFor();
    await expect.poll(dialogs).toBe(0);
    await expect.poll(focused).not.toBe('');
    await tabTo('Enable account');
    await press('Enter');
    await root.dialog('Enable person-007?').waitFor();
    if ((await focused()) !== 'Enable account') await tabTo('Enable account');
    await press('Enter');
    await root.page.getByText('person-007 was enabled').waitFor();
    // The button no longer exists, so the heading has the focus.
    await expect.poll(focused).toBe('person-007');
  });

  test('filters the activity with chips, a menu, the period and the search for a user', async () => {
    await root.goTo('/admin/activity');
    await tabTo('Sign-ins');
    await press('Space');
    await expect.poll(path).toBe('/admin/activity?type=sign-ins&outcome=success');
    await settled(root.page);
    expect(await focused()).toBe('Sign-ins');
    await press('Space');
    await expect.poll(path).toBe('/admin/activity');
    await tabTo('All');
    await press('ArrowRight');
    await expect.poll(path).toBe('/admin/activity?period=today');
    await settled(root.page);
    expect(await focused()).toBe('Today');
    await tabTo(/^Type/);
    await press('Enter');
    await expect.poll(focused).toBe('Sign-ins');
    await press('End');
    await expect.poll(focused).toBe('Audit log');
    await press('Escape');
    await closed();
    await expect.poll(focused).toMatch(/^Type/);
    await press('Enter');
    await press('ArrowDown');
    await expect.poll(focused).toBe('Changes by administrators');
    await press('Enter');
    await expect.poll(focused).toBe('Remove filter: Type: Changes by administrators');
    await press('Enter');
    await expect.poll(focused).toMatch(/^Type/);
    await tabTo('Actor');
    await press('Enter');
    await expect.poll(focused).toBe('User');
    await press('Escape');
    await closed();
    await expect.poll(focused).toBe('Actor');
    await press('Enter');
    await expect.poll(focused).toBe('User');
    await type('person-01');
    await root.page.getByRole('option', { name: 'person-010' }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await expect.poll(focused).toMatch(/^Remove filter: Actor: person-01\d$/);
    await tabTo('Clear filters');
    await press('Enter');
    await expect.poll(path).toBe('/admin/activity');
    await expect.poll(focused).toMatch(/^Type/);
  });

  test('opens an event, and exports the events', async () => {
    await settled(root.page);
    await tabTo(/^root-of-all enabled person-007/);
    await press('Enter');
    await root.page.getByText('Request ID').first().waitFor();
    while (!(await focused()).startsWith('Export')) await press('Shift+Tab');
    await press('Enter');
    await expect.poll(focused).toMatch(/^CSV/);
    const [download] = await Promise.all([root.page.waitForEvent('download'), press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await expect.poll(focused).toMatch(/^Export/);
  });

  test('switches the organization and its tabs', async () => {
    await root.goTo(`/organizations/${engines}`);
    await tabTo('Switch organization');
    await press('Enter');
    await expect.poll(() => root.page.getByRole('dialog', { name: 'Your organizations' }).count()).toBe(1);
    await press('Escape');
    await closed();
    await expect.poll(focused).toBe('Switch organization');
    await press('Enter');
    await root.page.getByRole('link', { name: 'Looms Organization admin' }).waitFor();
    await tabTo(/^Looms/);
    await press('Enter');
    await expect.poll(focused).toBe('Looms');
    await settled(root.page);
    await tabTo('Settings');
    await press('Enter');
    await expect.poll(path).toMatch(/\?tab=settings$/);
    await settled(root.page);
    expect(await focused()).toBe('Settings');
  });

  test('invites users to an organization, and closes only the suggestions with the first Escape', async () => {
    await root.goTo(`/organizations/${engines}`);
    await tabTo('Invite members');
    await press('Enter');
    await expect.poll(focused).toBe('Usernames');
    await type('person-00');
    await root.page.getByRole('option', { name: 'person-001' }).waitFor();
    await press('Escape');
    await expect.poll(() => root.page.locator('[role=option]').count()).toBe(0);
    expect(await root.dialog('Invite members').count()).toBe(1);
    await press('ArrowDown');
    await press('Enter');
    await expect.poll(() => root.button(/^Remove person-/).count()).toBe(1);
    expect(await focused()).toBe('Usernames');
    await press('Backspace');
    await expect.poll(() => root.button(/^Remove person-/).count()).toBe(0);
    await type('person-003');
    await root.page.getByRole('option', { name: 'person-003' }).first().waitFor();
    await press('Enter');
    await root.button('Remove person-003').waitFor();
    // The list of suggestions is empty, so Enter submits the form.
    await press('Enter');
    await root.button('Revoke the invitation for person-003').waitFor();
    await expect.poll(dialogs).toBe(0);
    await expect.poll(focused).toBe('Invite members');
    await press('Enter');
    await expect.poll(focused).toBe('Usernames');
    await press('Escape');
    await expect.poll(dialogs).toBe(0);
    await expect.poll(focused).toBe('Invite members');
  });

  test('changes the role of a member', async () => {
    await tabTo('Actions for person-001');
    await press('Enter');
    await expect.poll(focused).toMatch(/^Change role…/);
    await press('Enter');
    await root.dialog('Change the role of person-001 to organization admin?').waitFor();
    await tabTo('Change role');
    await press('Enter');
    await root.page.getByText('person-001 is now an organization admin').waitFor();
    await expect.poll(dialogs).toBe(0);
    await expect.poll(focused).toBe('Actions for person-001');
  });

  test('changes the period of the overview, and opens the table of the chart', async () => {
    await root.goTo('/admin/overview');
    await tabTo('30 d');
    await press('ArrowLeft');
    await expect.poll(path).toBe('/admin/overview?period=7d');
    await settled(root.page);
    expect(await focused()).toBe('7 d');
    await tabTo('Show as a table');
    await press('Enter');
    await root.page.getByRole('table', { name: 'Sign-ins per day' }).waitFor();
    // Users can scroll the table with the arrow keys.
    await tabTo('Sign-ins per day');
  });

  test('changes the display name, and filters their own activity', async () => {
    await root.goTo('/settings/profile');
    await tabTo('Display name (optional)');
    await type('Ada');
    await press('Enter');
    await root.page.getByText('Your display name was saved').first().waitFor();
    expect(await focused()).toBe('Display name (optional)');
    await root.goTo('/settings/activity');
    await tabTo('Sign-ins');
    await press('Space');
    await expect.poll(path).toMatch(/sign-ins/);
    await settled(root.page);
    expect(await focused()).toBe('Sign-ins');
  });

  test('opens the help, and chooses the language in the account menu', async () => {
    await press('Control+k');
    await root.page.getByRole('combobox').waitFor();
    await type('help');
    await root.page.getByRole('option', { name: 'Help and shortcuts' }).waitFor();
    await press('Enter');
    await root.dialog('Help and shortcuts').waitFor();
    await press('Escape');
    await expect.poll(dialogs).toBe(0);
    await tabTo(/^Account menu/);
    await press('Enter');
    await tabTo('Language');
    await press('ArrowDown');
    await expect.poll(() => root.page.evaluate(`localStorage.getItem('language')`)).toBe('en');
    await settled(root.page);
    expect(await focused()).toBe('Language');
    await press('ArrowDown');
    await expect.poll(() => root.page.evaluate('document.documentElement.lang')).toBe('de');
    await expect.poll(focused).toBe('Sprache');
    await press('Escape');
    await expect.poll(focused).toMatch(/^Kontomenü/);
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Inserts 40 users, and two organizations that root-of-all manages. person-001 is a member of the first. */
async function fill({ database: { sql } }: Stage): Promise<void> {
  await sql`update latchkey.users set role = 'superadmin'`;
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    select gen_random_uuid(), 'person-' || to_char(n, 'FM000'), 'handle-' || n, now() - n * interval '1 day'
    from generate_series(1, 40) n`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    values (${engines}, 'Engines', 'engines', now()), (gen_random_uuid(), 'Looms', 'looms', now())`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select organizations.id, users.id, case when username = 'root-of-all' then 'admin' else 'user' end, now()
    from latchkey.organizations, latchkey.users
    where username = 'root-of-all' or (username = 'person-001' and name = 'Engines')`;
}
