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
  const invitations = () => ada.page.getByRole('region', { name: 'Invitations' });
  const invitationFor = (invitee: string, status: string) =>
    invitations().getByRole('heading', { name: `For ${invitee} ${status}`, exact: true });
  const goToOrganization = () => ada.goTo(`/organizations/${engines}`);

  const inviteByName = async (username: string) => {
    await goToOrganization();
    await ada.button('Invite member').click();
    await ada.page.getByRole('textbox', { name: 'Username' }).fill(username);
    await ada.button('Create invitation').click();
    await invitations()
      .getByRole('heading', { name: `For ${username}` })
      .waitFor();
  };
  const inviteByLink = async () => {
    await goToOrganization();
    await ada.button('Invite member').click();
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
    await goToOrganization();
    await invitations().getByText('No pending invitations').waitFor();
    await photograph(ada.page, 'join-none-invited');
    await ada.button('Invite member').click();
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
    await ada.page.getByLabel('Status').selectOption('accepted');
    await invitations().getByText('by bob').waitFor();
  });

  test('a user who declines an invitation does not become a member', async () => {
    await choose(ada.page, 'Actions for bob', 'Remove');
    await ada.button('Remove member').click();
    await expect.poll(() => members().getByRole('rowheader', { name: 'bob' }).count()).toBe(0);
    await inviteByName('bob');
    await bob.goTo('/organizations');
    await bob.button('Decline the invitation to Engines').click();
    await bob.dialog('Decline the invitation to Engines?').waitFor();
    await photograph(bob.page, 'join-decline');
    await bob.button('Decline invitation').click();
    await bob.page.getByText('When an organization admin').waitFor();
    await expect.poll(() => bob.page.evaluate('document.activeElement.textContent')).toBe('Invitations');
    await photograph(bob.page, 'join-received-none');
    await goToOrganization();
    await ada.page.getByLabel('Status').selectOption('declined');
    await invitationFor('bob', 'Declined').waitFor();
    expect(await members().getByRole('rowheader', { name: 'bob' }).count()).toBe(0);
  });

  test('an invited user no longer sees a revoked invitation, and sees why the invitation disappeared', async () => {
    await inviteByName('bob');
    await bob.goTo('/');
    await bob.row('Engines').waitFor();
    await ada.button('Revoke the invitation for bob').click();
    await ada.dialog('Revoke the invitation for bob?').waitFor();
    await photograph(ada.page, 'join-revoke');
    await ada.button('Revoke invitation').click();
    await invitationFor('bob', 'Revoked').waitFor();
    await bob.button('Accept the invitation to Engines').click();
    await bob.page.getByText('This invitation no longer works').waitFor();
    await expect.poll(() => bob.row('Engines').count()).toBe(0);
  });

  test('a link is shown only once, and a new user signs up and accepts with the link', async () => {
    link = await inviteByLink();
    expect(link).toMatch(new RegExp(`^${stage.origin}/join#token=[\\w-]{20,}$`));
    await ada.button('Copy').click();
    await ada.page.getByText('Copied.').waitFor();
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe(link);
    await photograph(ada.page, 'join-link');
    await ada.button('Done').click();
    await invitations().getByRole('heading', { name: 'For anyone with the link' }).waitFor();

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
    await ada.button('Invite member').waitFor();
    expect(await ada.button('Add member directly').count()).toBe(0);
    await choose(ada.page, 'Actions for bob', 'Remove');
    await ada.button('Remove member').click();
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'ada'`;
    await goToOrganization();
    await ada.button('Add member directly').click();
    await photograph(ada.page, 'join-add-directly');
    await ada.page.getByRole('textbox', { name: 'Username' }).fill('bob');
    await ada.button('Add member').click();
    await members().getByRole('rowheader', { name: 'bob' }).waitFor();
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
