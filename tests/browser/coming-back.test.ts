import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './support/chromium.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const engines = '0199aa00-0000-7000-8000-00000000000a';
const password = 'eight ships in a bottle';

const guarded = [
  '/?from=a-mail',
  '/files',
  '/organizations',
  `/organizations/${engines}`,
  '/settings/profile',
  '/settings/security',
  '/admin/users',
  '/admin/activity?a=1&b=2',
  '/admin/invitations',
  '/admin/webhooks',
];

const elsewhere = [
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,evil',
];

story('a user who has to authenticate', () => {
  let stage: Stage;
  let ada: Person;

  const section = (name: string) => ada.page.getByRole('region', { name });
  const here = () => new URL(ada.page.url());
  /**
   * Starts an action that needs fresh authentication, authenticates, and expects the action to continue. In a dialog,
   * the click on the dialog’s button also starts the passkey prompt.
   */
  const confirmed = async (act: () => Promise<unknown>, outcome: () => Promise<unknown>) => {
    await stage.age();
    const isInDialog = (await ada.page.getByRole('dialog').count()) > 0;
    const proved = ada.page.waitForResponse(`${stage.origin}/auth/passkey/stepup/verify`);
    await act();
    if (!isInDialog) await ada.button('Use your passkey').click();
    expect((await proved).status()).toBe(200);
    await outcome();
    expect(await ada.dialog('Confirm it’s you').count()).toBe(0);
  };
  const manage = async (choice: string) => {
    await ada.goTo('/admin/users');
    await choose(ada.page, 'Actions for bob', choice);
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin'`;
    await sql`
      insert into latchkey.organizations (id, name, slug, created_at)
      values (${engines}, 'Engines', 'engines', now())`;
    await sql`
      insert into latchkey.users (id, username, user_handle, created_at)
      values (gen_random_uuid(), 'bob', 'handle-of-bob', now())`;
  });
  afterAll(() => stage?.close());

  test.each(guarded)('signs in and returns to %s', async (path) => {
    await ada.page.context().clearCookies();
    await ada.goTo(path);
    await ada.heading('Sign in').waitFor();
    expect(here().pathname).toBe('/signin');
    await ada.button('Sign in with a passkey').click();
    await expect.poll(() => `${here().pathname}${here().search}`).toBe(path);
    await ada.button(/^Account menu of/).waitFor();
    // Waits, because a late response would restore the cookies that the next test clears.
    await settled(ada.page);
  });

  test.each(elsewhere)('is sent to the home page instead of %j', async (target) => {
    await ada.goTo(`/signin?to=${encodeURIComponent(target)}`);
    await ada.heading('Hello, ada').waitFor();
    expect(ada.page.url()).toBe(`${stage.origin}/`);
  });

  test('authenticates before adding or removing a passkey', async () => {
    await ada.follow('Security');
    const rows = () => section('Passkeys').getByRole('listitem').count();
    const key = await addAuthenticator(ada.cdp, 'usb');
    // The user authenticates with the laptop. The laptop already contains a passkey, so the security key creates the
    // new one.
    await key.setPresent(false);
    await stage.age();
    await ada.button('Add passkey').click();
    // The virtual authenticator reads the value of `setPresent` only when `create` is called. So the test delays the
    // call of `create` until the key is present.
    await ada.page.evaluate(`{
      const { credentials } = navigator;
      const create = credentials.create.bind(credentials);
      credentials.create = async (options) => {
        options.publicKey.authenticatorSelection.authenticatorAttachment = 'cross-platform';
        await new Promise((resolve) => { globalThis.touchKey = resolve; });
        return create(options);
      };
    }`);
    await ada.button('Use your passkey').click();
    await expect.poll(() => ada.page.evaluate('typeof touchKey')).toBe('function');
    expect(await ada.dialog('Confirm it’s you').count()).toBe(0);
    await key.setPresent(true);
    await ada.page.evaluate('touchKey()');
    await expect.poll(rows).toBe(2);
    await ada.page.getByLabel('Name this passkey').press('Escape');
    await key.setPresent(false);
    await choose(section('Passkeys').getByRole('listitem').last(), /^Actions for/, 'Remove');
    await confirmed(
      () => ada.button('Remove passkey').click(),
      () => expect.poll(rows).toBe(1),
    );
    await key.lose();
  });

  test('authenticates before creating, replacing or revoking recovery codes', async () => {
    await ada.goTo('/settings/security');
    const savedCodes = async () => {
      await ada.page.getByLabel('I have saved my codes').check();
      await ada.button('Done').click();
    };
    await confirmed(() => ada.button('Create recovery codes').click(), savedCodes);
    await ada.button('Create new codes').click();
    await confirmed(() => ada.button('Create new recovery codes').click(), savedCodes);
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await confirmed(
      () => ada.button('Revoke codes').click(),
      () => section('Recovery codes').getByText('No recovery codes').waitFor(),
    );
  });

  test('authenticates before setting, changing or removing a password', async () => {
    const field = section('Password').getByRole('textbox');
    await ada.button('Set password').click();
    await field.fill(password);
    await confirmed(
      () => ada.button('Set password').click(),
      () => ada.heading('You have a password').waitFor(),
    );
    await ada.button('Set new password').click();
    await field.fill(`${password}s`);
    await confirmed(
      () => ada.button('Set new password').click(),
      () => ada.page.getByText('Your new password was set').first().waitFor(),
    );
    await choose(ada.page, 'Actions for the password', 'Remove');
    await confirmed(
      () => ada.button('Remove password').click(),
      () => ada.heading('No password').waitFor(),
    );
  });

  test('authenticates before creating or revoking an invitation', async () => {
    await ada.goTo('/admin/invitations');
    await ada.button('Invite user').click();
    await confirmed(
      () => ada.button('Create invitation').click(),
      () => ada.button('Done').click(),
    );
    await ada.button('Revoke the invitation for anyone with the link').click();
    await confirmed(
      () => ada.button('Revoke invitation').click(),
      () => ada.row('Anyone').getByText('Revoked').waitFor(),
    );
  });

  test('authenticates before every action on another user’s account', async () => {
    const said = (words: string) => () => ada.page.getByText(words).waitFor();
    await manage('Create recovery link');
    await confirmed(
      () => ada.button('Create recovery link').click(),
      () => ada.button('Done').click(),
    );
    await manage('End all sessions');
    await confirmed(() => ada.button('End all sessions').click(), said('bob had no sessions to end'));
    await manage('Disable account');
    await confirmed(
      () => ada.button('Disable account').click(),
      said('bob was disabled. All sessions ended.'),
    );
    await manage('Enable account');
    await confirmed(() => ada.button('Enable account').click(), said('bob was enabled'));
    await manage('Change role');
    await ada.page.getByRole('radio', { name: 'Admin' }).first().check();
    await confirmed(() => ada.button('Change role').click(), said('The role of bob is now admin'));
  });

  test('authenticates before changing an organization or its members', async () => {
    await ada.goTo('/organizations');
    await ada.button('Create an organization').click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Looms');
    await confirmed(
      () => ada.button('Create organization').click(),
      () => ada.heading('Looms').waitFor(),
    );
    await ada.button('Invite members').click();
    await ada.page.getByRole('radio', { name: 'By link' }).check();
    await confirmed(
      () => ada.button('Create link').click(),
      () => ada.button('Done').click(),
    );
    await ada.button('Revoke the invitation for anyone with the link').click();
    await confirmed(
      () => ada.button('Revoke invitation').click(),
      () => ada.page.getByText('The invitation for anyone with the link was revoked').waitFor(),
    );
    await settled(ada.page);
    await ada.button('Add member directly').click();
    await ada.page.getByRole('textbox', { name: 'Username' }).fill('bob');
    await confirmed(
      () => ada.button('Add member').click(),
      () => ada.row('bob').waitFor(),
    );
    await choose(ada.page, 'Actions for bob', 'Change role');
    await confirmed(
      () => ada.button('Change role').click(),
      () => ada.row('bob').getByText('Organization admin').waitFor(),
    );
    await choose(ada.page, 'Actions for bob', 'Remove');
    await confirmed(
      () => ada.button('Remove member').click(),
      () => expect.poll(() => ada.row('bob').count()).toBe(0),
    );
    await ada.page.getByRole('link', { name: 'Settings' }).click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Power looms');
    await confirmed(
      () => ada.button('Save').click(),
      () => ada.heading('Power looms').waitFor(),
    );
    await ada.button('Delete…').click();
    await ada.page.getByRole('textbox').last().fill('looms');
    await confirmed(
      () => ada.button('Delete organization').click(),
      () => ada.heading('Organizations').waitFor(),
    );
  });

  test('authenticates before deleting another user’s account, and before deleting their own account', async () => {
    await manage('Delete account');
    await ada.page.getByRole('textbox').last().fill('bob');
    await confirmed(
      () => ada.button('Delete account').click(),
      () => ada.page.getByText('bob was deleted').waitFor(),
    );
    await stage.database.sql`update latchkey.users set role = 'user' where username = 'ada'`;
    await ada.goTo('/settings/security');
    await ada.button('Delete my account').click();
    await ada.page.getByRole('textbox').last().fill('ada');
    const dialog = ada.dialog('Delete your account?');
    await confirmed(
      () => dialog.getByRole('button', { name: 'Delete my account' }).click(),
      () => ada.page.getByText('Your account was deleted').waitFor(),
    );
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
