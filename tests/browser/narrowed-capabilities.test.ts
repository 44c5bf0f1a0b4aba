import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileCapabilities } from '../../examples/server/files/capabilities.ts';
import { startOwnSite } from './support/own-site.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const removed = {
  'organization:delete': false,
  'organization:members:promote': false,
  'organization:members:remove': false,
} as const;
const capabilities = {
  user: { ...fileCapabilities.user, ...removed },
  admin: { ...fileCapabilities.admin, ...removed, 'audit:read': false, 'user:end_sessions': false },
  superadmin: {
    ...fileCapabilities.superadmin,
    'organization:delete': false,
    'organization:members:promote': false,
    'user:manage': false,
  },
} as const;

story('the users of a service with narrower capabilities', () => {
  let stage: Stage;
  let root: Person;
  let helper: Person;
  let grace: Person;
  let bob: Person;

  beforeAll(async () => {
    stage = await setStage({ start: () => startOwnSite({ capabilities }) });
    [root, helper, grace, bob] = [
      await createPerson(stage, 'root-of-all'),
      await createPerson(stage, 'helper'),
      await createPerson(stage, 'grace'),
      await createPerson(stage, 'bob'),
    ];
    for (const person of [root, helper, grace, bob]) await signUp(person);
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
    await sql`update latchkey.users set role = 'admin' where username = 'helper'`;
  });
  afterAll(() => stage?.close());

  /** Sends a request with the session of a person. Returns the status. */
  const send = ({ page }: Person, method: string, path: string, body?: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(path, { method, ...(body ? { headers, body } : {}) });
        // Otherwise, the request would not finish.
        await response.text();
        return response.status;
      },
      [method, path, body && JSON.stringify(body)] as const,
    );
  /** Opens the menu with the actions on a user. Returns the items and closes the menu. */
  const actionsOn = async ({ page, button }: Person, username: string) => {
    await button(`Actions for ${username}`).click();
    await page.getByRole('menu').waitFor();
    const labels = await page.locator('.menu__label').allInnerTexts();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    return labels;
  };
  /** Opens the settings of an organization, and returns their actions. */
  const settings = async ({ page }: Person) => {
    await page.getByRole('link', { name: 'Settings' }).click();
    return page.locator('main .card, main .list').getByRole('button').allTextContents();
  };
  const engines = async () => {
    const [row] = await stage.database.sql`select id from latchkey.organizations where name = 'Engines'`;
    return `/auth/organizations/${row?.id}`;
  };
  const idOf = async (username: string) => {
    const [row] = await stage.database.sql`select id from latchkey.users where username = ${username}`;
    return row?.id;
  };

  test('a superadmin changes roles, but cannot disable or delete accounts, on the page or with a request', async () => {
    await root.goTo('/admin/users');
    expect(await actionsOn(root, 'grace')).toEqual([
      'Change role…',
      'Create recovery link…',
      'End all sessions…',
    ]);
    const path = `/auth/admin/users/${await idOf('grace')}`;
    expect(await send(root, 'DELETE', path)).toBe(403);
    expect(await send(root, 'POST', `${path}/disable`)).toBe(403);

    await choose(root.page, 'Actions for grace', 'Change role');
    const dialog = root.dialog('Role of grace');
    const hints = await dialog.locator('.radio__hint').allInnerTexts();
    expect(hints[0]).toBe('Can manage their own account.');
    expect(hints[1]).toMatch(/^Can also create organizations, .*help the members of their organizations\.$/);
    expect(hints[1]).not.toContain('activity');
    expect(hints[2]).toMatch(/^Can also .*help all users, see all activity, change roles/);
    expect(hints[2]).not.toMatch(/disable|delete/);
    await dialog.getByRole('radio', { name: /^Admin/ }).check();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await root.page.getByText('The role of grace is now admin').waitFor();
  });

  test('an admin cannot open the activity page, and creates an organization', async () => {
    await helper.goTo('/');
    const links = helper.page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Users', 'Invitations']);
    expect(await send(helper, 'GET', '/auth/admin/audit')).toBe(403);
    await helper.goTo('/admin/activity');
    await helper.heading('No access to this page').waitFor();
    await helper.page.getByText('Only superadmins can open this page.').waitFor();

    await helper.goTo('/organizations');
    await helper.button('Create an organization').click();
    await helper.page.getByLabel('Name', { exact: true }).fill('Engines');
    await helper.button('Create organization').click();
    await helper.heading('Engines').waitFor();
  });

  test('an organization admin invites and renames, and the page does not offer changes that are refused', async () => {
    await helper.button('Invite members').click();
    const dialog = helper.page.getByRole('dialog');
    await dialog.getByText('Can see the members and read the files.', { exact: true }).waitFor();
    await dialog
      .getByText('Can see the members, invite members, rename the organization and change all files.', {
        exact: true,
      })
      .waitFor();
    await helper.page.getByRole('combobox', { name: 'Usernames' }).fill('bob');
    await helper.button('Create invitation').click();
    await helper.button('Revoke the invitation for bob').waitFor();

    await bob.goTo('/');
    await bob.button('Accept the invitation to Engines').click();
    await bob.page.getByText('You’re a member of Engines').waitFor();

    await helper.reload();
    await helper.row('bob').first().waitFor();
    expect(await actionsOn(helper, 'helper')).toEqual(['Leave…']);
    // The superadmin in a later test has this button, so its name is correct.
    expect(await helper.button('Actions for bob').count()).toBe(0);
    expect(await settings(helper)).toEqual(['Save: No changes yet', 'Leave…']);
    const member = `${await engines()}/members/${await idOf('bob')}`;
    expect(await send(helper, 'DELETE', await engines())).toBe(403);
    expect(await send(helper, 'DELETE', member)).toBe(403);
    expect(await send(helper, 'PATCH', member, { role: 'admin' })).toBe(403);

    await helper.page.getByLabel('Name', { exact: true }).fill('Steam Engines');
    await helper.button('Save').click();
    await helper.heading('Steam Engines').waitFor();
  });

  test('a member sees who can invite members', async () => {
    await bob.follow('Organizations');
    await bob.page.getByRole('link', { name: 'Steam Engines' }).click();
    await bob.page.getByText('Organization admins invite members.', { exact: true }).waitFor();
    await settled(bob.page);
  });

  test('a superadmin removes a member, and the page does not offer to delete the organization', async () => {
    await root.follow('Organizations');
    await root.page.getByRole('link', { name: 'Steam Engines' }).click();
    await root.button('Actions for bob').waitFor();
    expect(await actionsOn(root, 'bob')).toEqual(['Remove…']);
    expect(await settings(root)).toEqual(['Save: No changes yet']);
    await root.page.getByRole('link', { name: /^Members/ }).click();
    await choose(root.page, 'Actions for bob', 'Remove');
    await root.button('Remove member').click();
    await root.page.getByText('bob is no longer a member').waitFor();
    await expect.poll(() => root.button('Actions for bob').count()).toBe(0);
  });

  test('an admin sees how many files the organization has, and a member does not', async () => {
    await helper.follow('Files');
    await helper.button('Create file in Steam Engines').click();
    await helper.page.getByLabel('Name', { exact: true }).fill('Plans');
    await helper.button('Create file').click();
    await helper.heading('Files by organization').waitFor();
    await bob.goTo('/files');
    expect(await bob.heading('Files by organization').count()).toBe(0);
    expect(await send(bob, 'GET', '/api/files/overview')).toBe(403);
  });

  test('only refused requests cause errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
