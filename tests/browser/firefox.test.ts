import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Firefox, findFirefox, launchFirefox } from './support/firefox.ts';
import { addFirefoxAuthenticator, type FirefoxAuthenticator } from './support/firefox-authenticator.ts';
import { createFirefoxPage, type FirefoxPage, type Target } from './support/firefox-page.ts';
import { type Site, startSite } from './support/site.ts';
import { skipAfterFailure } from './support/skip-after-failure.ts';

const executable = findFirefox();
const username = 'ada';
const firstPassword = 'eight ships in a bottle';
const secondPassword = 'nine ships in a harbor';

const button = (name: string | RegExp, within?: Target): Target => ({ role: 'button', name, within });
const link = (name: string): Target => ({ role: 'link', name });
const heading = (name: string | RegExp): Target => ({ role: 'heading', name });
const menuItem = (name: RegExp): Target => ({ role: 'menuitem', name });
const dialog = (name: string): Target => ({ role: 'dialog', name });
const textbox = (name: string, within?: Target): Target => ({ role: 'textbox', name, within });
const searchbox = (name: string): Target => ({ role: 'searchbox', name });
const combobox = (name: string): Target => ({ role: 'combobox', name });
const option = (name: RegExp): Target => ({ role: 'option', name });
const checkbox = (name: string): Target => ({ role: 'checkbox', name });
const section = (name: string): Target => ({ role: 'region', name });
const rows = (name: string): Target => ({ role: 'listitem', within: section(name) });

// One story. Each test continues where the previous test ended. After a test fails, the others are skipped.
describe.skipIf(executable === null)('in Firefox, a user', { sequential: true }, () => {
  let site: Site;
  let firefox: Firefox;
  let page: FirefoxPage;
  let laptop: FirefoxAuthenticator;
  let phone: FirefoxAuthenticator;
  let codes: string[];

  const shownCodes = () => page.textsOf('.codes__code');
  const saveCodes = async () => {
    await page.see(dialog('Save your recovery codes'));
    codes = await shownCodes();
    await page.click(checkbox('I have saved my codes'));
    await page.click(button('Done'));
  };
  const signOut = async () => {
    await page.click(button(/^Account menu of/));
    await page.click(button('Sign out'));
    await page.see(heading('Sign in'));
  };

  skipAfterFailure();
  beforeAll(async () => {
    site = await startSite();
    firefox = await launchFirefox(executable ?? '');
    page = createFirefoxPage(firefox.marionette, site.origin);
    laptop = await addFirefoxAuthenticator(firefox.marionette, 'internal');
  });
  afterAll(async () => {
    await firefox?.close();
    await site?.close();
  });

  test('gets no account if the authenticator does not verify the user', async () => {
    await laptop.setUserVerified(false);
    await page.goTo('/signup');
    await page.fill(textbox('Username'), username);
    await page.click(button('Create account with a passkey'));
    await page.seeText('No account was created');
    expect(await laptop.credentials()).toEqual([]);
    await laptop.setUserVerified(true);
  });

  test('signs up with a passkey', async () => {
    await page.click(button('Create account with a passkey'));
    await page.see(heading(`Hello, ${username}`));
    expect(await laptop.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  });

  test('signs out, and signs in with the passkey without typing a username', async () => {
    await signOut();
    await page.click(button('Sign in with a passkey'));
    await page.see(heading(`Hello, ${username}`));
    await page.seeText('with a passkey');
  });

  test('cannot sign in if the authenticator does not verify the user, and sees the other ways to sign in', async () => {
    await signOut();
    await laptop.setUserVerified(false);
    await page.click(button('Sign in with a passkey'));
    await page.seeText('You’re not signed in yet');
    await page.see(link('Use your password'));
    await page.see(link('Use a recovery code'));
    await laptop.setUserVerified(true);
    await page.click(button('Sign in with a passkey'));
    await page.see(heading(`Hello, ${username}`));
  });

  test('sees the session of Firefox and the passkey on the security page', async () => {
    await page.click(link('Security'));
    await page.seeText('Firefox on Linux', section('Sessions'));
    await page.seeCount(rows('Passkeys'), 1);
    await page.seeText('Last used', section('Passkeys'));
  });

  test('cannot create a second passkey on the same device, and sees why', async () => {
    await page.click(button('Add passkey'));
    await page.seeText('This device already has a passkey for your account');
    expect(await laptop.credentials()).toHaveLength(1);
  });

  test('adds a second passkey on another device', async () => {
    await laptop.remove();
    phone = await addFirefoxAuthenticator(firefox.marionette, 'internal');
    await page.click(button('Add passkey'));
    await page.seeCount(rows('Passkeys'), 2);
    expect(await phone.credentials()).toHaveLength(1);
  });

  test('authenticates with the second passkey before removing the first', async () => {
    await site.age();
    await page.click(button(/^Actions for/, section('Passkeys')));
    await page.click(menuItem(/^Remove/));
    await page.click(button('Remove passkey', dialog('Remove this passkey?')));
    await page.seeCount(rows('Passkeys'), 1);
    await signOut();
    await page.click(button('Sign in with a passkey'));
    await page.see(heading(`Hello, ${username}`));
  });

  test('saves recovery codes', async () => {
    await page.goTo('/settings/security');
    await page.click(button('Create recovery codes'));
    await saveCodes();
    expect(codes).toHaveLength(10);
    await page.seeText('10 of 10 codes left', section('Recovery codes'));
    expect(await shownCodes()).toEqual([]);
  });

  test('sets a password, and signs in with it', async () => {
    await page.click(button('Set password', section('Password')));
    await page.fill(textbox('Password'), firstPassword);
    await page.click(button('Set password', section('Password')));
    await page.see(heading('You have a password'));
    await signOut();
    await page.click(link('Use your password'));
    await page.fill(textbox('Username'), username);
    await page.fill(textbox('Password'), firstPassword);
    await page.click(button('Sign in'));
    await page.see(heading(`Hello, ${username}`));
    await page.seeText('with a password');
  });

  test('steps up with the passkey to change the password after a password sign-in', async () => {
    await page.goTo('/settings/security');
    await page.click(button('Set new password'));
    await page.fill(textbox('New password'), secondPassword);
    await page.click(button('Set new password'));
    const question = dialog('Confirm it’s you');
    await page.seeText('This action needs your passkey', question);
    await page.click(button('Use your passkey', question));
    await page.seeText('Your new password was set');
  });

  test('loses the device, and gets back in with a recovery code and a new passkey', async () => {
    await phone.remove();
    await signOut();
    await page.click(link('Use a recovery code'));
    await page.fill(textbox('Username'), username);
    await page.fill(textbox('Recovery code'), codes[0] ?? '');
    await page.click(button('Continue'));
    await page.see(heading(/^Which of these do you still have\?/));
    await page.seeText('You keep nothing. 1 passkey and the password are removed.');
    await page.click(button('Continue'));
    await page.see(heading(/^Add a new passkey/));
    const newPhone = await addFirefoxAuthenticator(firefox.marionette, 'internal');
    await page.click(button('Add passkey'));
    const replaced = codes;
    await saveCodes();
    expect(codes.filter((code) => replaced.includes(code))).toEqual([]);
    await page.seeText('Your account is recovered');
    expect(await newPhone.credentials()).toHaveLength(1);
  });

  test('signs in with the new passkey after the recovery, and no longer with the password', async () => {
    await signOut();
    await page.click(button('Sign in with a passkey'));
    await page.see(heading(`Hello, ${username}`));
    await page.click(link('Security'));
    await page.seeCount(rows('Passkeys'), 1);
    await page.see(heading('No password'));
  });

  test('as an administrator, finds a user in the list, and disables the user after a passkey prompt', async () => {
    const { sql } = site.database;
    await sql`update latchkey.users set role = 'superadmin' where username = ${username}`;
    await sql`
      insert into latchkey.users (id, username, user_handle, created_at)
      values (gen_random_uuid(), 'ben', 'handle-of-ben', now())`;
    await sql`
      with made as (
        insert into latchkey.organizations (id, name, slug, created_at)
        values (gen_random_uuid(), 'Engines', 'engines', now()) returning id
      )
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select made.id, users.id, 'admin', now() from made, latchkey.users where username = ${username}`;
    await page.goTo('/admin/users');
    await page.seeText('1–2 of 2');
    await page.fill(searchbox('Search names and usernames'), 'ben');
    await page.seeText('1–1 of 1');
    await page.click(link('ben'));
    await page.seeText('ben has no way to sign in');
    await site.age();
    await page.click(button(/^Actions/));
    await page.click(menuItem(/^Disable account/));
    await page.click(button('Disable account', dialog('Disable ben?')));
    await page.seeText('ben can’t sign in: the account is disabled');
    await page.click(button('Enable account'));
    await page.click(button('Enable account', dialog('Enable ben?')));
    await page.seeText('ben has no way to sign in');
  });

  test('as an administrator, invites a user to an organization', async () => {
    await page.click(link('Organizations'));
    await page.click(link('Engines'));
    await page.click(button('Invite members'));
    await page.fill(combobox('Usernames'), 'ben');
    await page.click(option(/^Invite the username “ben”|^ben/));
    await page.click(button('Create invitation'));
    await page.see(button(/^Revoke the invitation for ben/));
  });

  test('as an administrator, filters the activity', async () => {
    await page.click(link('Activity'));
    await page.click(button('Changes by administrators'));
    await page.see(button('Remove filter: Type: Changes by administrators'));
    await page.seeText('enabled ben');
    await page.click(button('Clear filters'));
    await page.seeText('invited ben to Engines');
  });

  test('chooses German, and sees German pages after a reload', async () => {
    await page.click(button(/^Account menu of/));
    await page.choose(combobox('Language'), 'de');
    await page.see(heading('Aktivität'));
    await page.goTo('/admin/overview');
    await page.see(heading('Übersicht'));
  });

  test('causes no errors in the console and no violations of the content security policy', async () => {
    expect(await page.errors()).toEqual([]);
  });
});
