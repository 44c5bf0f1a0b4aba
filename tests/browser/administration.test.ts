import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { addAuthenticator } from './support/chromium.ts';
import { deviceLabel } from './support/device-label.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

// One story of three users. Each test continues where the previous test ended.
story('administration', () => {
  let stage: Stage;
  let root: Person;
  let ada: Person;
  let bob: Person;
  let link: string;

  const shownLink = (person: Person) => person.page.locator('.copy-line input[readonly]').inputValue();

  const saveCodes = async (person: Person) => {
    await person.dialog('Save your recovery codes').waitFor();
    await person.page.getByLabel('I have saved my codes').check();
    await person.button('Done').click();
  };

  const invite = async (username?: string) => {
    await root.goTo('/admin/invitations');
    await root.button('Invite user').click();
    if (username) await root.page.getByLabel('Username').fill(username);
    await root.button('Create invitation').click();
    await root.dialog('New invitation link').waitFor();
    const url = await shownLink(root);
    await root.button('Done').click();
    return url;
  };

  const users = (page: Page) => page.locator('tbody').getByRole('row').count();
  const manage = async (name: string, choice: string) => {
    await root.goTo('/admin/users');
    await root.page.getByLabel('Search names and usernames').fill(name);
    await expect.poll(() => users(root.page)).toBe(1);
    await settled(root.page);
    await choose(root.page, `Actions for ${name}`, choice);
  };

  beforeAll(async () => {
    stage = await setStage();
    root = await createPerson(stage, 'root-of-all');
    ada = await createPerson(stage, 'ada');
    bob = await createPerson(stage, 'bob.the-builder-of-long-username');
  });
  afterAll(() => stage?.close());

  test('the first superadmin adds a passkey with a link from an operator', async () => {
    const env = { DATABASE_URL: stage.database.url, WEBAUTHN_RP_ORIGIN: stage.origin };
    const { exitCode, stdout } = await runCommand(`bootstrap --passkey --username ${root.username}`, { env });
    expect(exitCode).toBe(0);
    await root.goTo(stdout.trim());
    await root.button('Continue').click();
    await root.heading('Add your first passkey').waitFor();
    expect(await root.page.getByText('All sessions', { exact: true }).count()).toBe(0);
    await photograph(root.page, 'first-passkey');
    await root.button('Add passkey').click();
    await saveCodes(root);
    await root.heading(`Hello, ${root.username}`).waitFor();
    await photograph(root.page, 'superadmin-account');
  });

  test('a superadmin sees the navigation links for administration', async () => {
    const administration = root.page.getByRole('navigation', { name: 'Administration' });
    expect(await administration.getByRole('link').allInnerTexts()).toEqual([
      'Overview',
      'Users',
      'Invitations',
      'Activity',
      'Webhooks',
    ]);
    await root.follow('Invitations');
    await root.page.getByText('No invitations yet').waitFor();
    await photograph(root.page, 'invitations-empty');
    expect(await administration.locator('[aria-current=page]').innerText()).toBe('Invitations');
  });

  test('an invitation with an invalid username shows an error beside the field', async () => {
    await root.button('Invite user').click();
    await photograph(root.page, 'invitation-create');
    await root.page.getByLabel('Username').fill('not a name');
    await root.button('Create invitation').click();
    await root.page.getByText('Remove the spaces.').waitFor();
    await photograph(root.page, 'invitation-create-refused');
  });

  test('the superadmin authenticates again, creates an invitation and copies the link', async () => {
    await stage.age();
    await root.page.getByLabel('Username').fill('ada');
    await root.button('Create invitation').click();
    await root.dialog('New invitation link').waitFor();
    link = await shownLink(root);
    expect(link).toMatch(new RegExp(`^${stage.origin}/invitation#token=[\\w-]{20,}$`));
    await root.button('Copy').click();
    await root.page.getByText('Copied.').waitFor();
    expect(await root.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await photograph(root.page, 'invitation-link');
    await root.button('Done').click();
    await root.row('ada').getByText('Pending', { exact: true }).waitFor();
    await photograph(root.page, 'invitations');
  });

  test('the invited user sees the invitation, and the token disappears from the URL in the browser', async () => {
    await ada.goTo(link);
    await ada.heading('You’re invited').waitFor();
    expect(ada.page.url()).toBe(`${stage.origin}/invitation`);
    expect(await ada.page.getByLabel('Username').inputValue()).toBe('ada');
    expect(await ada.page.getByLabel('Username').isEditable()).toBe(false);
    await photograph(ada.page, 'invitation-visitor');
  });

  test('the invitation page asks for the link again after a reload', async () => {
    await ada.reload();
    await ada.heading('Open your invitation again').waitFor();
    await photograph(ada.page, 'invitation-without-link');
  });

  test('another user cannot accept the invitation, but can switch accounts', async () => {
    await signUp(bob);
    await bob.goTo(link);
    await bob.page.getByText('This invitation is for ada').waitFor();
    await photograph(bob.page, 'invitation-for-another');
    await bob.button('Use another account').click();
    await bob.button('Create account and accept').waitFor();
    await bob.page.getByRole('link', { name: 'Sign in to accept' }).click();
    await bob.heading('Sign in').waitFor();
    await bob.button('Sign in with a passkey').click();
    await bob.page.getByText('This invitation is for ada').waitFor();
  });

  test('the invited user signs up on the invitation page and becomes an admin', async () => {
    await ada.goTo(link);
    await ada.button('Create account and accept').click();
    await ada.heading('You’re now an admin').waitFor();
    await photograph(ada.page, 'invitation-accepted');
    await ada.page.getByRole('link', { name: 'Go to organizations' }).click();
    await ada.page.getByText('No organizations yet').waitFor();
    await photograph(ada.page, 'organizations-empty');
    await ada.follow('Users');
    await ada.page.getByText('No users yet').waitFor();
    expect(await ada.page.getByRole('link', { name: 'Invitations' }).count()).toBe(1);
  });

  test('an invitation works only once, and a user who is already an admin cannot accept an invitation', async () => {
    await bob.goTo('/');
    await bob.goTo(link);
    await bob.heading('This invitation no longer works').waitFor();
    await photograph(bob.page, 'invitation-unusable');
    const open = await invite();
    await ada.goTo(open);
    await ada.page.getByText('You’re already an admin').waitFor();
    await photograph(ada.page, 'invitation-role-held');
    await bob.goTo('/invitation#token=of-no-invitation');
    await bob.heading('Invitation not found').waitFor();
  });

  test('a revoked invitation no longer works', async () => {
    link = await invite('carla');
    await root.button('Revoke the invitation for carla').click();
    await root.dialog('Revoke the invitation for carla?').waitFor();
    await photograph(root.page, 'invitation-revoke');
    await root.button('Revoke invitation').click();
    await root.row('carla').getByText('Revoked').waitFor();
    await photograph(root.page, 'invitations-of-each-kind');
    await root.button('Revoked').click();
    await expect.poll(() => users(root.page)).toBe(1);
    expect(root.page.url()).toBe(`${stage.origin}/admin/invitations?status=revoked`);
    await bob.goTo(link);
    await bob.heading('This invitation no longer works').waitFor();
  });

  test('a signed-in user can accept or skip an invitation without a username', async () => {
    const open = await invite();
    await bob.goTo(open);
    await bob.button('Accept invitation').waitFor();
    await photograph(bob.page, 'invitation-member');
    await bob.page.getByRole('link', { name: 'Not now' }).click();
    await bob.heading(`Hello, ${bob.username}`).waitFor();
  });

  test('an admin creates an organization, and chooses another short name if the first short name is taken', async () => {
    await root.goTo('/organizations');
    await root.button('Create an organization').click();
    await root.page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await root.button('Create organization').click();
    await root.heading('Analytical Engines').waitFor();

    await ada.goTo('/organizations');
    await ada.button('Create an organization').click();
    await ada.button('Create organization').click();
    await ada.page.getByText('Enter a name.').waitFor();
    await ada.page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await ada.button('Create organization').click();
    await ada.page.getByText('The short name derived from the name is taken.').waitFor();
    await photograph(ada.page, 'organization-slug-taken');
    await ada.page.getByLabel('Short name').fill('analytical-engines-of-london');
    await ada.button('Create organization').click();
    await ada.heading('Analytical Engines').waitFor();
  });

  test('an organization admin invites a user by username, and sees why other usernames cannot be invited', async () => {
    expect(await ada.button('Add member directly').count()).toBe(0);
    await ada.button('Invite members').click();
    const username = ada.page.getByRole('combobox', { name: 'Usernames' });
    await ada.button('Create invitation').click();
    await ada.page.getByText('Enter a username.').waitFor();
    await username.fill('no-such-user');
    await ada.button('Create invitation').click();
    await ada.page.getByText('User not found').waitFor();
    await photograph(ada.page, 'organization-user-not-found');
    await username.fill(bob.username);
    // Enter first chooses the username, then submits the form.
    await ada.page.getByRole('option', { name: /^Invite the username/ }).waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.button(`Remove ${bob.username}`).waitFor();
    await ada.page.keyboard.press('Enter');
    await ada.button(`Revoke the invitation for ${bob.username}`).waitFor();
    await ada.button('Invite members').click();
    await username.fill(bob.username);
    await ada.button('Create invitation').click();
    await ada.page.getByText('This user already has a pending invitation to the organization').waitFor();
    await ada.button('Cancel').click();
    await photograph(ada.page, 'organization');
  });

  test('the invited user accepts and becomes a member', async () => {
    await bob.goTo('/');
    await bob.row('Analytical Engines').getByText('From ada').waitFor();
    await bob.button('Accept the invitation to Analytical Engines').click();
    await bob.page.getByText('You’re a member of Analytical Engines').waitFor();
    await ada.reload();
    await ada.button(`Actions for ${bob.username}`).waitFor();
  });

  test('an organization admin promotes and demotes a member, who sees the change immediately', async () => {
    await bob.follow('Organizations');
    await bob.page.getByRole('link', { name: 'Analytical Engines' }).click();
    await bob.page.getByText('Organization admins invite members and remove members.').waitFor();
    await photograph(bob.page, 'organization-as-member');

    await choose(ada.page, `Actions for ${bob.username}`, 'Change role');
    await photograph(ada.page, 'member-promote');
    await ada.dialog(`Change the role of ${bob.username} to organization admin?`).waitFor();
    await ada.button('Change role').click();
    await ada.row(bob.username).getByText('Organization admin').waitFor();
    await bob.reload();
    await bob.button('Invite members').click();

    await choose(ada.page, `Actions for ${bob.username}`, 'Change role');
    await ada.button('Change role').click();
    await expect.poll(() => ada.row(bob.username).getByText('Organization admin').count()).toBe(0);
    await bob.page.getByRole('radio', { name: 'By link' }).check();
    await bob.button('Create link').click();
    await bob.page.getByText("You don't have permission to do this").waitFor();
    await bob.button('Cancel').click();
  });

  test('the last organization admin can neither leave nor be demoted', async () => {
    await choose(ada.page, 'Actions for ada', 'Leave');
    await ada.dialog('Leave Analytical Engines?').getByRole('button', { name: 'Leave' }).click();
    await ada.page.getByText('This is the last organization admin').waitFor();
    await photograph(ada.page, 'organization-last-admin');
    await ada.button('Cancel').click();
  });

  test('a member creates and reads files, and can change only files that the member created', async () => {
    await ada.follow('Files');
    await ada.button('Create file in Analytical Engines').click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Minutes of the first meeting');
    await ada.page
      .getByLabel('Text')
      .fill('Weaves algebraic patterns\njust as the Jacquard loom weaves flowers.');
    await photograph(ada.page, 'file-new');
    await ada.button('Create file').click();
    await ada.row('Minutes of the first meeting').waitFor();
    await ada.button('Create file in Personal files').click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Diary');
    await ada.button('Create file').click();
    await ada.row('Diary').waitFor();
    await photograph(ada.page, 'files');

    await bob.follow('Files');
    await bob.button('Minutes of the first meeting').click();
    await bob.page.getByText('Weaves algebraic patterns').waitFor();
    expect(await bob.page.getByLabel('Text').count()).toBe(0);
    await photograph(bob.page, 'file-read');
    await bob.button('Close').click();
    expect(await bob.row('Diary').count()).toBe(0);
    await bob.button('Create file in Analytical Engines').click();
    await bob.button('Create file').click();
    await bob.page.getByText('Enter a name.').waitFor();
    await bob.page.getByLabel('Name', { exact: true }).fill('Bob’s remarks');
    await bob.button('Create file').click();
    await bob.button('Bob’s remarks').click();
    await bob.page.getByLabel('Text').fill('Can we fix it?');
    await bob.button('Save').click();
    await bob.row('Bob’s remarks').waitFor();
  });

  test('an organization admin can change and delete all files of the organization', async () => {
    await ada.reload();
    await ada.button('Bob’s remarks').click();
    await photograph(ada.page, 'file-edit');
    await ada.button('Delete').click();
    await photograph(ada.page, 'file-delete');
    await ada.button('Delete file').click();
    await expect.poll(() => ada.row('Bob’s remarks').count()).toBe(0);
    await bob.button('Bob’s remarks').click();
    await bob.page.getByText('Not found').waitFor();
    await bob.button('Close').click();
  });

  test('an admin sees the members of their organizations and creates a recovery link for a member', async () => {
    await ada.follow('Users');
    await ada.row(bob.username).waitFor();
    expect(await ada.row('root-of-all').count()).toBe(0);
    await ada.button(`Actions for ${bob.username}`).click();
    await expect
      .poll(() => ada.page.locator('.menu__label').allInnerTexts())
      .toEqual(['Create recovery link…', 'End all sessions…']);
    await photograph(ada.page, 'user-choices-of-admin');
    await ada.page.getByRole('menuitem', { name: 'Create recovery link' }).click();
    await photograph(ada.page, 'user-recovery');
    await ada.button('Create recovery link').click();
    await ada.dialog(`Recovery link for ${bob.username}`).waitFor();
    const recovery = await shownLink(ada);
    await photograph(ada.page, 'user-recovery-link');
    await ada.button('Done').click();
    await ada.page.getByText('Recovery link created').waitFor();

    await bob.goTo('/files');
    await bob.page.getByText('ada created a recovery link for your account').waitFor();

    await bob.goTo(recovery);
    await bob.button('Continue').click();
    await bob.heading('Which of these do you still have?').waitFor();
    await bob.button('Continue').click();
    await bob.device.lose();
    await addAuthenticator(bob.cdp, 'internal');
    await bob.button('Add passkey').click();
    await saveCodes(bob);
    await bob.page.getByText('Your account is recovered').waitFor();
  });

  test('an admin who cannot help a user of another organization sees the reason', async () => {
    await stage.database.sql`
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select organizations.id, users.id, 'user', now() from latchkey.organizations, latchkey.users
      where organizations.slug = 'analytical-engines' and users.username = ${bob.username}`;
    await ada.goTo('/admin/users');
    await choose(ada.page, `Actions for ${bob.username}`, 'Create recovery link');
    await ada.button('Create recovery link').click();
    await ada.page.getByText('You can’t help this user').waitFor();
    await photograph(ada.page, 'user-recovery-forbidden');
    await ada.button('Cancel').click();
    await stage.database.sql`
      delete from latchkey.memberships using latchkey.organizations, latchkey.users
      where organizations.id = organization_id and users.id = user_id
        and organizations.slug = 'analytical-engines' and users.username = ${bob.username}`;
  });

  test('a member searches an organization that has more than one page of members', async () => {
    await addCrowd(stage);
    const search = () => ada.page.getByLabel('Search members');
    const removable = () => ada.page.getByRole('button', { name: /^Actions for crowd-/ }).count();
    await ada.goTo('/organizations');
    await ada.page.getByRole('link', { name: 'Analytical Engines' }).click();
    await ada.heading('Members').waitFor();
    await ada.button('Actions for ada').waitFor();
    expect(await search().count()).toBe(0);
    await stage.database.sql`
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select organizations.id, users.id, 'user', now() from latchkey.organizations, latchkey.users
      where organizations.slug like 'analytical-engines%' and users.username like 'crowd-%'`;
    await ada.reload();
    await search().fill('crowd-0');
    await expect.poll(removable).toBe(10);
    await photograph(ada.page, 'members-search');
    await search().fill('zzz');
    await ada.page.getByText('No members match').waitFor();
    await stage.database.sql`
      delete from latchkey.memberships using latchkey.users
      where users.id = user_id and users.username like 'crowd-%'`;
    await search().fill('');
    await ada.button('Actions for ada').waitFor();
    expect(await removable()).toBe(0);
  });

  test('a list that fails to load shows the error and a retry button', async () => {
    const page = await stage.open(root.page.context());
    stage.complaints.expect(/net::ERR_FAILED/);
    await page.route('**/auth/admin/users*', (route) => route.abort());
    await page.goto(`${stage.origin}/admin/users`);
    await page.getByText('The server is unreachable').waitFor();
    await photograph(page, 'users-failed');
    await page.unroute('**/auth/admin/users*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => users(page)).toBe(25);
    await page.close();
  });

  test('closing a menu moves the focus back to the button that opened the menu', async () => {
    await root.goTo('/admin/users');
    await root.button('Actions for ada').focus();
    await root.page.keyboard.press('Enter');
    await root.page.getByRole('menu').waitFor();
    await photograph(root.page, 'user-choices');
    await root.page.keyboard.press('Escape');
    await expect.poll(() => focused(root)).toBe('Actions for ada');
  });

  test('disabling a user ends the user’s session at the next request, the sign-in page tells the user, and Undo enables the user again', async () => {
    await manage(bob.username, 'Disable account');
    await photograph(root.page, 'user-disable');
    await root.button('Disable account').click();
    await root.page.getByText(`${bob.username} was disabled. All sessions ended.`).waitFor();
    await photograph(root.page, 'user-disabled');
    await bob.follow('Files');
    await bob.heading('Sign in').waitFor();
    await bob.button('Sign in with a passkey').click();
    await bob.page.getByText('Your account is disabled').waitFor();

    await root.button('Undo').click();
    await root.row(bob.username).getByText('Active', { exact: true }).waitFor();
    await photograph(bob.page, 'sign-in-disabled');
    await bob.button('Sign in with a passkey').click();
    await bob.heading(/^Files$/).waitFor();
  });

  test('a superadmin ends all sessions of a user', async () => {
    await manage(bob.username, 'End all sessions');
    await root.button('End all sessions').click();
    await root.page.getByText(`Ended 1 session of ${bob.username}`).waitFor();
    await expect.poll(() => focused(root)).toBe(`Actions for ${bob.username}`);
    await bob.reload();
    await bob.heading('Sign in').waitFor();
  });

  test('a change of role takes effect immediately, and changes the navigation', async () => {
    await manage('ada', 'Change role');
    await photograph(root.page, 'user-role');
    await root.page.getByRole('radio', { name: /^Member/ }).check();
    await root.button('Change role').click();
    await root.page.getByText('The role of ada is now member').waitFor();
    await ada.follow('Activity');
    await ada.heading('No access to this page').waitFor();
    await photograph(ada.page, 'no-access');
    await manage('ada', 'Change role');
    await root.page.getByRole('radio', { name: /^Admin/ }).check();
    await root.button('Change role').click();
    await root.page.getByText('The role of ada is now admin').waitFor();
  });

  test('the last superadmin can be neither demoted nor deleted', async () => {
    await manage('root-of-all', 'Change role');
    await root.page.getByRole('radio', { name: /^Member/ }).check();
    await root.button('Change role').click();
    await root.page.getByText('This is the last active superadmin').waitFor();
    await photograph(root.page, 'user-last-superadmin');
    await root.goTo('/settings/security');
    await root.button('Delete my account').click();
    await root.page.getByRole('textbox').last().fill('root-of-all');
    await root.dialog('Delete your account?').getByRole('button', { name: 'Delete my account' }).click();
    await root.page.getByText('You’re the last superadmin').waitFor();
  });

  test('the activity page shows each event as a sentence, in the order of the events', async () => {
    await root.goTo('/admin/activity');
    await root.row('changed the role of ada to admin').first().waitFor();
    const show = (type: string) => root.goTo(`/admin/activity?type=${type}`);
    const expectSentences = async (kind: string, expected: RegExp[]) => {
      await show(kind);
      await expect.poll(() => sentences(root)).toEqual(expected.map((text) => expect.stringMatching(text)));
    };
    await photograph(root.page, 'activity');
    await show('invitation.');
    await expect
      .poll(() => sentences(root))
      .toEqual([
        'root-of-all invited anyone with the link to be an admin',
        'root-of-all revoked the invitation for carla',
        'root-of-all invited carla to be an admin',
        'root-of-all invited anyone with the link to be an admin',
        'ada accepted an invitation to be an admin',
        'root-of-all invited ada to be an admin',
        // Authentication was not fresh, so the first request failed. After a step-up, the page repeated the request.
        'root-of-all tried to invite anyone with the link Refused',
      ]);
    await show('organization_invitation.');
    await expect
      .poll(() => sentences(root))
      .toEqual([
        expect.stringMatching(/^bob\S+ tried to invite a user to Analytical Engines Refused$/),
        expect.stringMatching(/^bob\S+ accepted an invitation to Analytical Engines$/),
        expect.stringMatching(/^ada tried to invite bob\S+ to Analytical Engines Refused$/),
        expect.stringMatching(/^ada invited bob\S+ to Analytical Engines$/),
        'ada tried to invite no-such-user to Analytical Engines Refused',
      ]);
    await expectSentences('superadmin.', [/^\S+ \(operator\) made root-of-all a superadmin$/]);
    await expectSentences('recovery_link.', [
      /^ada tried to create a recovery link for bob\S+ Refused$/,
      /^bob\S+ used a recovery link$/,
      /^ada created a recovery link for bob\S+$/,
      /^root-of-all used a recovery link$/,
    ]);
    await expectSentences('recovery_code.', [
      /^bob\S+ created new recovery codes$/,
      /^root-of-all created new recovery codes$/,
    ]);
    await expectSentences('recovery.', [
      /^bob\S+ recovered their account with a new passkey$/,
      /^root-of-all recovered their account with a new passkey$/,
    ]);
    await expectSentences('passkey.', [
      /^bob\S+ signed in with a passkey$/,
      /^bob\S+ tried to sign in with a passkey Refused$/,
      new RegExp(`^bob\\S+ removed the passkey ${deviceLabel}$`),
      new RegExp(`^bob\\S+ added the passkey ${deviceLabel}$`),
      /^bob\S+ signed in with a passkey$/,
      /^root-of-all confirmed their identity with a passkey$/,
      new RegExp(`^root-of-all added the passkey ${deviceLabel}$`),
    ]);
    await expectSentences('session.', [/^bob\S+ signed out$/]);
    await show('member.');
    await expect
      .poll(() => sentences(root))
      .toEqual([
        'ada tried to leave Analytical Engines Refused',
        expect.stringMatching(/^ada changed the role of bob\S+ in Analytical Engines to member$/),
        expect.stringMatching(/^ada changed the role of bob\S+ in Analytical Engines to organization admin$/),
      ]);
    await choose(root.page, /^Outcome/, 'Succeeded');
    await expect.poll(async () => (await sentences(root)).length).toBe(2);
    await expect.poll(() => focused(root)).toBe('Remove filter: Outcome: Succeeded');
    await root.page.locator('summary').first().click();
    await root.page.locator('.event[open]').getByText('Organization', { exact: true }).waitFor();
    expect(await root.page.getByText('"member.change_role"').count()).toBe(0);
    await root.button('Raw event').first().click();
    await root.page.getByText('"member.change_role"').waitFor();
    await photograph(root.page, 'activity-detail');
  });

  test('the activity page downloads the proof of an event', async () => {
    await root.goTo('/admin/activity');
    // The oldest event certainly has its position in the log.
    const event = root.page.locator('.event-row').last();
    await event.locator('summary').click();
    const downloading = root.page.waitForEvent('download');
    await event.getByRole('button', { name: 'Download proof' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^[\da-f-]{36}\.tlog-proof$/);
    expect(await text(await download.createReadStream())).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
    await root.page.getByText('Proof downloaded').waitFor();
  });

  test('the activity page filters events by actor and by target', async () => {
    await root.goTo('/admin/activity');
    await root.button('Actor').click();
    await root.page.getByRole('combobox').fill('no-such-user');
    await root.page.getByText('No users match “no-such-user”').waitFor();
    await root.page.keyboard.press('Enter');
    await root.page.getByText('Check the username.').waitFor();
    expect(await sentences(root)).toEqual([]);
    expect(await root.page.locator('[data-off]').innerText()).toContain('No events to export');
    expect(new URL(root.page.url()).search).toBe('?actor=no-such-user');
    await root.button('Remove filter: Actor: no-such-user').click();
    await root.button('Actor').click();
    await root.page.getByRole('combobox').fill('ada');
    await root.page.getByRole('option', { name: /^ada/ }).first().waitFor();
    await photograph(root.page, 'activity-picker');
    await root.page.keyboard.press('Enter');
    await expect
      .poll(async () =>
        [...new Set((await sentences(root)).map((sentence) => sentence.split(' ')[0]))].join(),
      )
      .toBe('ada');
    await expect.poll(() => focused(root)).toBe('Remove filter: Actor: ada');
    // The URL alone shows the same events, also with a username.
    await root.goTo('/admin/activity?target=ada&type=user.');
    await expect
      .poll(() => sentences(root))
      .toEqual([
        'root-of-all changed the role of ada to admin',
        'root-of-all changed the role of ada to member',
      ]);
    await root.page.getByRole('radio', { name: 'Custom' }).check();
    await root.page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await root.page.getByText('No events match').waitFor();
    await photograph(root.page, 'activity-nothing');
    await root.button('Clear filters').first().click();
    await expect.poll(async () => (await sentences(root)).length).toBeGreaterThan(2);
    expect(new URL(root.page.url()).search).toBe('');
  });

  test('the activity page exports the filtered events', async () => {
    await root.goTo('/admin/activity');
    await choose(root.page, /^Type/, 'Organizations');
    await expect.poll(async () => (await sentences(root)).length).toBe(3);
    expect(await sentences(root)).toContain('ada created the organization Analytical Engines');
    const exported = async (format: string) => {
      const downloading = root.page.waitForEvent('download');
      await choose(root.page, /^Export/, format);
      const stream = await (await downloading).createReadStream();
      return (await text(stream)).trimEnd().split(/\r?\n/);
    };
    const lines = await exported('NDJSON');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual([
      'organization.create',
      'organization.create',
      'organization.create',
    ]);
    const [columns, ...records] = await exported('CSV');
    expect(columns).toContain('event');
    expect(records).toHaveLength(3);
    for (const record of records) expect(record).toContain('organization.create');
  });

  test('an organization admin renames and deletes the organization', async () => {
    await ada.goTo('/organizations');
    await ada.page.getByRole('link', { name: 'Analytical Engines' }).click();
    await ada.page.getByRole('link', { name: 'Settings' }).click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Difference Engines');
    await photograph(ada.page, 'organization-settings');
    await ada.button('Save').click();
    await ada.heading('Difference Engines').waitFor();
    await ada.button('Delete…').click();
    await ada.button('Delete organization').click();
    await ada.page.getByText('exactly as shown').waitFor();
    await photograph(ada.page, 'organization-delete');
    await ada.page.getByRole('textbox').last().fill('analytical-engines-of-london');
    await ada.button('Delete organization').click();
    await ada.page.getByText('No organizations yet').waitFor();
  });

  test('a superadmin deletes a user after typing the username', async () => {
    await manage(bob.username, 'Delete account');
    await root.page.getByRole('textbox').last().fill(bob.username);
    await photograph(root.page, 'user-delete');
    await root.button('Delete account').click();
    await root.page.getByText(`${bob.username} was deleted`).waitFor();
    await expect.poll(() => focused(root)).toBe('Users');
    expect(await root.row(bob.username).count()).toBe(0);
  });

  test('a user deletes their own account', async () => {
    await ada.goTo('/settings/security');
    await photograph(ada.page, 'security-delete');
    await ada.button('Delete my account').click();
    await photograph(ada.page, 'account-delete');
    await ada.page.getByRole('textbox').last().fill('ada');
    await ada.dialog('Delete your account?').getByRole('button', { name: 'Delete my account' }).click();
    await ada.page.getByText('Your account was deleted').waitFor();
    await photograph(ada.page, 'account-deleted');
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Inserts more users than fit on a page. */
const addCrowd = ({ database }: Stage) => database.sql`
  insert into latchkey.users (id, username, display_name, user_handle, created_at)
  select gen_random_uuid(), 'crowd-' || to_char(n, 'FM00'), 'Face ' || n, 'handle-' || n, now()
  from generate_series(0, 59) n`;

const sentences = async ({ page }: Person): Promise<string[]> =>
  (await page.locator('.event__sentence').allInnerTexts()).map((sentence) =>
    sentence.replace(/\s+/g, ' ').trim(),
  );

const focused = ({ page }: Person) => page.evaluate('document.activeElement.textContent');
