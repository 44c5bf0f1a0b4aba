import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const engines = '0199aa00-0000-7000-8000-00000000000a';

story('invitations to an organization:', () => {
  let stage: Stage;
  let ada: Person;
  let bob: Person;
  let carla: Person;
  let link: string;

  const members = () => ada.page.getByRole('region', { name: 'Members' });
  const pending = () => ada.page.getByRole('region', { name: 'Pending invitations' });
  const goToOrganization = (query = '') => ada.goTo(`/organizations/${engines}${query}`);

  const inviteByName = async (username: string) => {
    await goToOrganization();
    await ada.button('Invite members').click();
    await ada.page.getByRole('textbox', { name: 'Username' }).fill(username);
    await ada.button('Create invitation').click();
    await pending().getByRole('heading', { name: username }).waitFor();
  };
  const inviteByLink = async () => {
    await goToOrganization();
    await ada.button('Invite members').click();
    await ada.page.getByRole('radio', { name: 'By link' }).check();
    await ada.button('Create link').click();
    await ada.dialog('New invitation link').waitFor();
    return ada.page.locator('.copy-line input[readonly]').inputValue();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    bob = await createPerson(stage, 'bob');
    carla = await createPerson(stage, 'carla');
    await signUp(ada);
    await signUp(bob);
    const { sql } = stage.database;
    await sql`
        insert into latchkey.organizations (id, name, slug, created_at)
        values (${engines}, 'Engines', 'engines', now())`;
    await sql`
        insert into latchkey.memberships (organization_id, user_id, role, joined_at)
        select ${engines}, id, 'admin', now() from latchkey.users where username = 'ada'`;
  });
  afterAll(() => stage?.close());

  test('an invitation by username is listed in the organization, and has no link', async () => {
    await goToOrganization('?tab=invitations&status=pending');
    await ada.page.getByText('No pending invitations').waitFor();
    await photograph(ada.page, 'join-none-invited');
    await ada.button('Invite members').click();
    await photograph(ada.page, 'join-invite');
    await ada.button('Cancel').click();
    await inviteByName('bob');
    expect(await ada.page.locator('.copy-line').count()).toBe(0);
    expect(await members().getByRole('rowheader', { name: 'bob' }).count()).toBe(0);
  });

  test('the invited user sees the invitation in the navigation and on the home page, and accepts the invitation', async () => {
    await bob.goTo('/');
    await bob.page.getByRole('link', { name: 'Organizations 1 invitation' }).waitFor();
    await bob.row('Engines').getByText('From ada').waitFor();
    await photograph(bob.page, 'join-received');
    await bob.button('Accept the invitation to Engines').click();
    await bob.page.getByText('You’re a member of Engines').waitFor();
    await photograph(bob.page, 'join-accepted');
    await bob.page.getByRole('link', { name: 'Organizations', exact: true }).waitFor();
    await bob.page.getByRole('link', { name: 'Open the organization' }).click();
    await bob.heading('Engines').waitFor();
    await goToOrganization();
    await members().getByRole('rowheader', { name: 'bob' }).waitFor();
    expect(await pending().count()).toBe(0);
    await ada.page.getByRole('link', { name: 'Invitations', exact: true }).last().click();
    await ada.button('Accepted').click();
    await ada.page.getByText('by bob').waitFor();
    // The URL contains the tab and the filter of the list.
    await ada.reload();
    await ada.page.getByText('by bob').waitFor();
    await photograph(ada.page, 'join-invitations');
  });

  test('a user who declines an invitation does not become a member', async () => {
    await goToOrganization();
    await choose(ada.page, 'Actions for bob', 'Remove');
    await ada.button('Remove member').click();
    await expect.poll(() => members().getByRole('rowheader', { name: 'bob' }).count()).toBe(0);
    await inviteByName('bob');
    await bob.goTo('/organizations');
    await bob.button('Decline the invitation to Engines').click();
    await bob.dialog('Decline the invitation to Engines?').waitFor();
    await photograph(bob.page, 'join-decline');
    await bob.button('Decline invitation').click();
    await expect.poll(() => bob.page.evaluate('document.activeElement.textContent')).toBe('Organizations');
    await photograph(bob.page, 'join-received-none');
    await goToOrganization();
    await members().getByRole('rowheader', { name: 'ada' }).waitFor();
    expect(await members().getByRole('rowheader', { name: 'bob' }).count()).toBe(0);
    await goToOrganization('?tab=invitations');
    await ada.page.getByRole('heading', { name: 'bob Declined' }).waitFor();
  });

  test('an invited user no longer sees a revoked invitation, and sees why the invitation disappeared', async () => {
    await inviteByName('bob');
    await bob.goTo('/');
    await bob.row('Engines').waitFor();
    await ada.button('Revoke the invitation for bob').click();
    await ada.dialog('Revoke the invitation for bob?').waitFor();
    await photograph(ada.page, 'join-revoke');
    await ada.button('Revoke invitation').click();
    await expect.poll(() => pending().count()).toBe(0);
    await bob.button('Accept the invitation to Engines').click();
    await bob.page.getByText('This invitation no longer works').waitFor();
    await expect.poll(() => bob.row('Engines').count()).toBe(0);
  });

  test('a revoked invitation by username can be created again with the same role', async () => {
    await ada.button('Undo').click();
    await pending().getByText('Member').waitFor();
    await pending().getByText('Expires in 3 days').waitFor();
    await ada.button('Revoke the invitation for bob').click();
    await ada.button('Revoke invitation').click();
    await expect.poll(() => pending().count()).toBe(0);
  });

  test('a link is shown only once, and a new user signs up and accepts with the link', async () => {
    link = await inviteByLink();
    expect(link).toMatch(new RegExp(`^${stage.origin}/join#token=[\\w-]{20,}$`));
    await ada.button('Copy').click();
    await ada.page.getByText('Copied.').waitFor();
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await photograph(ada.page, 'join-link');
    await ada.button('Done').click();
    await pending().getByRole('heading', { name: 'Anyone with the link' }).waitFor();
    // The page has the link until the user leaves it. A revoked link cannot be restored, so the message has no Undo.
    await ada.page.getByRole('link', { name: 'Settings' }).click();
    await ada.page.getByRole('link', { name: /^Members/ }).click();
    await pending().getByRole('button', { name: 'Copy the link' }).click();
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await ada.reload();
    await ada.button('Revoke the invitation for anyone with the link').waitFor();
    expect(await pending().getByRole('button', { name: 'Copy the link' }).count()).toBe(0);

    await carla.goTo(link);
    await carla.heading('Join Engines').waitFor();
    await carla.page.getByText('ada invites you to join').waitFor();
    expect(carla.page.url()).toBe(`${stage.origin}/join`);
    await photograph(carla.page, 'join-visitor');
    await carla.page.getByLabel('Username').fill('carla');
    await carla.button('Create account and accept').click();
    await carla.heading('You’re a member of Engines').waitFor();
    await photograph(carla.page, 'join-joined');
    await carla.page.getByRole('link', { name: 'Open the organization' }).click();
    await carla.heading('Engines').waitFor();
  });

  test('a link works only once', async () => {
    await bob.goTo('/');
    await bob.goTo(link);
    await bob.heading('This invitation no longer works').waitFor();
    await photograph(bob.page, 'join-dead');
    await bob.goTo('/');
    await bob.goTo('/join#token=of-no-invitation');
    await bob.heading('Invitation not found').waitFor();
    await bob.reload();
    await bob.heading('Open your invitation again').waitFor();
  });

  test('a link shows a member that they already belong to the organization, and lets another user sign in and accept', async () => {
    link = await inviteByLink();
    await carla.goTo('/');
    await carla.goTo(link);
    await carla.button('Accept invitation').click();
    await carla.page.getByText('You’re already a member').waitFor();
    await photograph(carla.page, 'join-member');

    await bob.goTo('/');
    await bob.goTo(link);
    await bob.button('Use another account').click();
    await bob.page.getByRole('link', { name: 'Sign in to accept' }).click();
    await bob.heading('Sign in').waitFor();
    await bob.button('Sign in with a passkey').click();
    await bob.button('Accept invitation').click();
    await bob.heading('You’re a member of Engines').waitFor();
  });

  test('only a superadmin adds a member directly', async () => {
    await goToOrganization();
    await ada.button('Invite members').waitFor();
    expect(await ada.button('Add member directly').count()).toBe(0);
    await choose(ada.page, 'Actions for bob', 'Remove');
    await ada.button('Remove member').click();
    await members().getByRole('rowheader', { name: 'bob' }).waitFor({ state: 'detached' });
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'ada'`;
    await goToOrganization();
    await ada.button('Add member directly').click();
    await photograph(ada.page, 'join-add-directly');
    await ada.page.getByRole('textbox', { name: 'Username' }).fill('bob');
    await ada.button('Add member').click();
    await members().getByRole('rowheader', { name: 'bob' }).waitFor();
  });

  test('a superadmin finds users by a part of their names, and invites several users at once', async () => {
    await choose(ada.page, 'Actions for bob', 'Remove');
    await ada.button('Remove member').click();
    await members().getByRole('rowheader', { name: 'bob' }).waitFor({ state: 'detached' });
    await stage.database.sql`update latchkey.users set display_name = 'Bob Öztürk' where username = 'bob'`;
    await ada.button('Invite members').click();
    const usernames = ada.page.getByRole('combobox', { name: 'Usernames' });
    await usernames.fill('türk');
    await ada.page.getByRole('option', { name: 'Bob Öztürk' }).waitFor();
    await photograph(ada.page, 'join-picker');
    await usernames.press('Escape');
    expect(await ada.page.getByRole('option', { name: 'Bob Öztürk' }).count()).toBe(0);
    expect(await ada.dialog('Invite members').count()).toBe(1);
    await usernames.press('ArrowDown');
    await usernames.press('Enter');
    await ada.button('Remove Bob Öztürk').waitFor();
    await usernames.fill('nobody-has-this');
    await ada.button('Create 2 invitations').click();
    // The invitation of bob was created, so only the other username stays in the field.
    await ada.page.getByText('User not found').waitFor();
    expect(await usernames.inputValue()).toBe('nobody-has-this');
    expect(await ada.button('Remove Bob Öztürk').count()).toBe(0);
    await ada.button('Cancel').click();
    await pending().getByRole('heading', { name: 'bob' }).waitFor();
  });

  test('a search for users to invite does not open the passkey prompt', async () => {
    await stage.age();
    await ada.reload();
    await ada.button('Invite members').click();
    const usernames = ada.page.getByRole('combobox', { name: 'Usernames' });
    await ada.page.getByText('confirm with your passkey first').waitFor();
    const searches: string[] = [];
    ada.page.on('request', (request) => {
      if (request.url().includes('/auth/admin/users')) searches.push(request.url());
    });
    await usernames.fill('bo');
    await ada.page.getByRole('option', { name: 'Invite the username “bo”' }).waitFor();
    // The timer that starts a search takes 300 ms. This timer starts later and takes longer, so it ends later.
    await ada.page.evaluate('new Promise((done) => setTimeout(done, 400))');
    await usernames.fill('');
    await ada.button('Cancel').click();
    expect(searches).toEqual([]);
  });

  test('the switcher lists the user’s own organizations, finds one of many, and creates one', async () => {
    await stage.database.sql`
      insert into latchkey.organizations (id, name, slug, created_at)
      select gen_random_uuid(), 'Looms ' || n, 'looms-' || n, now() from generate_series(1, 9) n`;
    await stage.database.sql`
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select organizations.id, users.id, 'user', now() from latchkey.organizations, latchkey.users
      where slug like 'looms-%' and slug <> 'looms-9' and username = 'ada'`;
    await ada.button('Switch organization').click();
    const switcher = ada.dialog('Your organizations');
    await switcher.getByRole('link', { name: 'Looms 8' }).waitFor();
    // Superadmins see all organizations on another page.
    expect(await switcher.getByRole('link', { name: 'Looms 9' }).count()).toBe(0);
    await photograph(ada.page, 'join-switcher');
    await switcher.getByLabel('Find an organization').fill('ooms 7');
    await expect.poll(() => switcher.getByRole('listitem').count()).toBe(1);
    await switcher.getByRole('link', { name: 'Looms 7' }).click();
    await ada.heading('Looms 7').waitFor();
    expect(await switcher.count()).toBe(0);
    await ada.button('Switch organization').click();
    await ada.dialog('Your organizations').getByRole('button', { name: 'Create an organization' }).click();
    await ada.dialog('New organization').waitFor();
    await photograph(ada.page, 'organization-new');
    await ada.button('Cancel').click();
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
