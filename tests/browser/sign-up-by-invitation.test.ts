import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { createPerson, type Person } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

// One story of four users, with SIGN_UP=invitation. Each test continues where the previous test ended.
story('sign-up by invitation', () => {
  let stage: Stage;
  let admin: Person;
  let grace: Person;
  let carla: Person;
  let visitor: Person;
  let link: string;

  const terminal = async (command: string): Promise<string> => {
    const env = { DATABASE_URL: stage.database.url, WEBAUTHN_RP_ORIGIN: stage.origin };
    const { exitCode, stdout } = await runCommand(command, { env });
    expect(exitCode).toBe(0);
    return /^Link +(\S+)$/m.exec(stdout)?.[1] ?? '';
  };

  beforeAll(async () => {
    stage = await setStage({ env: { SIGN_UP: 'invitation', SIGN_UP_ORGANIZATION_INVITATIONS: 'on' } });
    admin = await createPerson(stage, 'ada');
    grace = await createPerson(stage, 'grace');
    carla = await createPerson(stage, 'carla');
    visitor = await createPerson(stage, 'visitor');
  });
  afterAll(() => stage?.close());

  test('the sign-in page has no link to the sign-up page, and the sign-up page asks for an invitation', async () => {
    await visitor.goTo('/signin');
    await visitor.heading('Sign in').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await visitor.goTo('/signup');
    await visitor.heading('You need an invitation').waitFor();
    await photograph(visitor.page, 'sign-up-by-invitation');
  });

  test('a new user signs up with an admin invitation and is an admin immediately', async () => {
    await admin.goTo(await terminal('invitations create --role admin --username ada'));
    await admin.heading('You’re invited').waitFor();
    await admin.page.getByText('Available').waitFor();
    await admin.button('Create account and accept').click();
    await admin.heading('You’re now an admin').waitFor();
  });

  test('an admin invites a user, and can choose no purpose other than sign-up', async () => {
    await admin.page.getByRole('link', { name: 'Go to your account' }).click();
    await admin.follow('Invitations');
    await admin.page.getByText('No invitations yet').waitFor();
    await admin.button('Invite user').click();
    expect(await admin.page.getByLabel('Purpose').count()).toBe(0);
    await admin.page.getByLabel('Username').fill('ada');
    await admin.button('Create invitation').click();
    await admin.page.getByText('That user already has an account').waitFor();
    await photograph(admin.page, 'user-invitation-create');
    await admin.page.getByLabel('Username').fill('');
    await admin.button('Create invitation').click();
    await admin.dialog('New invitation link').waitFor();
    await admin.page.getByText('The first user with the link can sign up.').waitFor();
    link = await admin.page.locator('.copy-line input[readonly]').inputValue();
    await admin.button('Done').click();
    await admin.row('Anyone with the link').getByText('Pending', { exact: true }).waitFor();
  });

  test('the invited user sees who invites them, and signs up', async () => {
    await grace.goTo(link);
    await grace.heading('You’re invited').waitFor();
    await grace.page.getByText('to create an account').waitFor();
    await photograph(grace.page, 'user-invitation-visitor');
    await grace.page.getByLabel('Username').fill('ada');
    await grace.page.getByText('ada is taken.').waitFor();
    await grace.page.getByLabel('Username').fill('grace');
    await grace.page.getByText('Available').waitFor();
    await grace.button('Create account with a passkey').click();
    await grace.heading('Your account is ready').waitFor();
    await photograph(grace.page, 'user-invitation-accepted');
    await grace.page.getByRole('link', { name: 'Go to your account' }).click();
    await grace.heading('Hello, grace').waitFor();
  });

  test('the used link no longer works', async () => {
    await visitor.goTo(link);
    await visitor.heading('This invitation no longer works').waitFor();
  });

  test('a new user signs up with an organization invitation, and is a member of the organization', async () => {
    await terminal('organizations create Engines --slug engines');
    await carla.goTo(await terminal('organizations invite engines'));
    await carla.heading('Join Engines').waitFor();
    await carla.page.getByLabel('Username').fill('carla');
    await carla.page.getByText('Available').waitFor();
    await photograph(carla.page, 'join-visitor-by-invitation');
    await carla.button('Create account and accept').click();
    await carla.heading('You’re a member of Engines').waitFor();
    await carla.page.getByRole('link', { name: 'Open the organization' }).click();
    await carla.heading('Engines').waitFor();
  });

  test('a visitor is asked to sign in if an organization invitation does not allow signing up', async () => {
    // As with SIGN_UP_ORGANIZATION_INVITATIONS=off, without a second server.
    await visitor.page.route('**/auth/invitations/preview', async (route) => {
      const response = await route.fetch();
      const { invitation } = await response.json();
      await route.fulfill({ response, json: { invitation: { ...invitation, canSignUp: false } } });
    });
    await visitor.goTo(await terminal('organizations invite engines'));
    await visitor.heading('Join Engines').waitFor();
    await visitor.page.getByText('ask for an invitation to sign up first').waitFor();
    await visitor.page.getByRole('link', { name: 'Sign in to accept' }).waitFor();
    expect(await visitor.page.getByLabel('Username').count()).toBe(0);
  });

  test('a signed-in user learns that a user invitation is for creating an account', async () => {
    await grace.goTo(await terminal('invitations create --role user'));
    await grace.page.getByText('You already have an account').waitFor();
    expect(await grace.button('Accept invitation').count()).toBe(0);
  });
});
