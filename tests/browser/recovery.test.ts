import { readFile } from 'node:fs/promises';
import { createAuthService } from 'latchkey';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secret } from '../support/test-service.ts';
import { addAuthenticator, type VirtualAuthenticator, webAuthnOf } from './support/chromium.ts';
import { deviceLabel } from './support/device-label.ts';
import { choose } from './support/person.ts';
import { photograph, photographPrinted } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const username = 'grace.hopper-the-rear-admiral-31';
const firstPassword = 'eight ships in a bottle';
const secondPassword = 'nine ships in a harbor';

story('a user who loses their device', () => {
  let stage: Stage;
  let page: Page;
  let elsewhere: Page;
  let cdp: CDPSession;
  let laptop: VirtualAuthenticator;
  /** The label of the first passkey. The service names the passkey after the device. */
  let passkey: string;
  let codes: string[];
  let usedCode: string;

  const open = async (context: BrowserContext) => {
    const opened = await stage.open(context);
    // Turns off passkeys in autofill. Otherwise the virtual authenticator would select a passkey automatically.
    await opened.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    return opened;
  };
  const goTo = async (path: string) => {
    await page.goto(`${stage.origin}${path}`);
    await settled(page);
  };
  const reload = async (on = page) => {
    await on.reload();
    await settled(on);
  };
  const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { name });
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const section = (name: string) => page.getByRole('region', { name });
  const shownCodes = () => page.locator('.codes__code').allInnerTexts();

  const signInWithPassword = async (on: Page, password: string) => {
    await on.goto(`${stage.origin}/signin/password`);
    await on.getByLabel('Username').fill(username);
    await on.getByLabel('Password', { exact: true }).fill(password);
    await on.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(`Hello, ${username}`, on).waitFor();
  };

  beforeAll(async () => {
    stage = await setStage();
    const context = await stage.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.origin });
    page = await open(context);
    elsewhere = await open(await stage.newContext());
    cdp = await webAuthnOf(page);
    laptop = await addAuthenticator(cdp, 'internal');
  });
  afterAll(() => stage?.close());

  test('signs up, and sees the advice to save recovery codes', async () => {
    await goTo('/signup');
    await page.getByLabel('Username').fill(username);
    await button('Create account with a passkey').click();
    await heading('Save your recovery codes').waitFor();
    await button('Create recovery codes').waitFor();
    await photograph(page, 'first-steps');
    await page.getByRole('link', { name: 'Security' }).first().click();
    await section('Recovery codes').getByText('No recovery codes').waitFor();
    passkey = await section('Passkeys').getByRole('listitem').getByRole('heading').innerText();
    expect(passkey).toMatch(new RegExp(`^${deviceLabel}$`));
    await photograph(page, 'security-bare');
  });

  test('creates recovery codes, and copies, downloads and prints them', async () => {
    await button('Create recovery codes').click();
    await dialog('Save your recovery codes').waitFor();
    codes = await shownCodes();
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-Z]{4}-){6}[0-9A-Z]{4}$/);
    await photograph(page, 'codes');

    await button('Copy').click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));

    const downloading = page.waitForEvent('download');
    await button('Download').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`latchkey-recovery-codes-${username}.txt`);
    const file = await readFile(await download.path(), 'utf8');
    for (const part of [...codes, username, new URL(stage.origin).host]) expect(file).toContain(part);

    await page.evaluate('window.print = () => { window.printed = true }');
    await button('Print').click();
    await expect.poll(() => page.evaluate('window.printed')).toBe(true);
    await photographPrinted(page, 'codes');
  });

  test('prints only the codes, with the site, the username and the address of the page that accepts them', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const printed = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '');
    expect(printed).toEqual([
      'Latchkey recovery codes',
      expect.stringMatching(new RegExp(`^${new URL(stage.origin).host} · ${username} · created `)),
      ...codes,
      `Each code works once. To use one, go to ${stage.origin}/recover`,
    ]);
    for (const selector of ['html', 'body', '.codes'])
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`),
      ).toMatch(/^(rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/);
    await page.emulateMedia({ media: null, colorScheme: 'light' });
  });

  test('cannot close the dialog that shows the codes before confirming that the codes are saved', async () => {
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await button('Done').click();
    await page.getByText('Save the codes, then select this box.').waitFor();
    await page.goBack();
    const asking = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    expect(await shownCodes()).toEqual(codes);
    await photograph(page, 'codes-insisting');
    await page.getByLabel('I have saved my codes').check();
    await button('Done').click();
    await goTo('/settings/security');
    await section('Recovery codes').getByText('10 of 10 codes left').waitFor();
    expect(await shownCodes()).toEqual([]);
  });

  test('sets a password after the service rejects weak passwords', async () => {
    await button('Set password').click();
    const field = section('Password').getByLabel('Password', { exact: true });
    await field.fill('short');
    await button('Set password').click();
    await page.getByText('Use at least 8 characters.').waitFor();
    await photograph(page, 'password-short');
    await field.fill('password123');
    await button('Set password').click();
    await page.getByText('Too common').waitFor();
    expect(await field.getAttribute('type')).toBe('password');
    await button('Show password').click();
    expect(await field.getAttribute('type')).toBe('text');
    await photograph(page, 'password-common');
    await field.fill('ü'.repeat(129));
    await page.getByText('Too long.').waitFor();
    await field.fill(firstPassword);
    await page.getByText('Long enough.').waitFor();
    await button('Set password').click();
    await heading('You have a password').waitFor();
    await photograph(page, 'security-with-all');
  });

  test('signs out, and sees that the account is disabled only with the correct password or recovery code', async () => {
    const setStatus = (status: string) => stage.database.sql`update latchkey.users set status = ${status}`;
    const disabled = page.getByText('Your account is disabled');
    await signOut(page);
    await photograph(page, 'sign-in-other-ways');
    await setStatus('disabled');
    await goTo('/signin/password');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await button('Sign in').click();
    await page.getByText('Couldn’t sign in').waitFor();
    expect(await disabled.count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(firstPassword);
    await button('Sign in').click();
    await disabled.waitFor();
    await photograph(page, 'password-sign-in-disabled');
    await goTo('/recover');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await button('Continue').click();
    await disabled.waitFor();
    await photograph(page, 'recover-code-disabled');
    await setStatus('active');
  });

  test('signs in with the password', async () => {
    await goTo('/signin');
    await page.getByRole('link', { name: 'Use your password' }).click();
    await heading('Sign in with your password').waitFor();
    await button('Sign in').click();
    await page.getByText('Enter your username.').waitFor();
    await photograph(page, 'password-sign-in-empty');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await button('Sign in').click();
    await page.getByText('Couldn’t sign in').waitFor();
    await photograph(page, 'password-sign-in-refused');
    await page.getByLabel('Password', { exact: true }).fill(firstPassword);
    await page.keyboard.press('Enter');
    await heading(`Hello, ${username}`).waitFor();
    await page.getByText('just now, with a password').waitFor();
    await signInWithPassword(elsewhere, firstPassword);
  });

  test('steps up with the passkey to change the password after a password sign-in', async () => {
    await goTo('/settings/security');
    await button('Set new password').click();
    await section('Password').getByLabel('New password').fill(secondPassword);
    await button('Set new password').click();
    const question = dialog('Confirm it’s you');
    await question.getByText('This action needs your passkey').waitFor();
    expect(await question.getByLabel('Password', { exact: true }).count()).toBe(0);
    await photograph(page, 'step-up-passkey-required');
    await question.getByRole('button', { name: 'Use your passkey' }).click();
    await page.getByText('Your new password was set').first().waitFor();
    await photograph(page, 'password-changed');
  });

  test('is signed out in the other browser after the password changes, and signs in there with the new password', async () => {
    await page.getByText('All your other sessions have ended.').waitFor();
    await expect.poll(() => section('Sessions').getByRole('listitem').count()).toBe(1);
    await reload(elsewhere);
    await heading('Sign in', elsewhere).waitFor();
    await signInWithPassword(elsewhere, secondPassword);
  });

  test('sees a warning if few recovery codes are left', async () => {
    await stage.database.sql`
      update latchkey.recovery_codes set used_at = now()
      where code_hash in (select code_hash from latchkey.recovery_codes limit 8)`;
    await reload();
    await section('Recovery codes').getByText('2 of 10 codes left').waitFor();
    await section('Recovery codes').getByText('Create new codes before you run out.').waitFor();
    await photograph(page, 'security-few-codes');
  });

  test('sees a confirmation before replacing or revoking recovery codes', async () => {
    await button('Create new codes').click();
    await dialog('Create new recovery codes?').waitFor();
    await photograph(page, 'codes-replace');
    await button('Create new recovery codes').click();
    await dialog('Save your recovery codes').waitFor();
    const replaced = codes;
    codes = await shownCodes();
    expect(codes.filter((code) => replaced.includes(code))).toEqual([]);
    await page.getByLabel('I have saved my codes').check();
    await button('Done').click();
    await choose(page, 'Actions for the recovery codes', 'Revoke');
    await dialog('Revoke your recovery codes?').waitFor();
    await photograph(page, 'codes-revoke');
    await button('Cancel').click();
  });

  test('loses the device and signs in with a recovery code', async () => {
    await laptop.lose();
    await signOut(page);
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await heading('Recover your account').waitFor();
    await photograph(page, 'recover-code');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Recovery code').fill('AAAAA-AAAAA-AAAAA-AAAAA');
    await button('Continue').click();
    await page.getByText('That didn’t work').waitFor();
    await photograph(page, 'recover-code-refused');
    await page.getByLabel('Recovery code').fill(sloppy(codes[0] ?? ''));
    await button('Continue').click();
    await heading('Which of these do you still have?').waitFor();
    await page.getByRole('checkbox', { name: passkey, exact: true }).waitFor();
    await photograph(page, 'recover-keep');
  });

  test('returns to the recovery from every page and after a reload', async () => {
    await goTo('/settings/security');
    await heading('Which of these do you still have?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/recover');
    await goTo('/signin');
    await heading('Which of these do you still have?').waitFor();
    await reload();
    await heading('Which of these do you still have?').waitFor();
  });

  test('selects the sign-in methods to keep, and can change the selection', async () => {
    await page.getByText('You keep nothing. 1 passkey and the password are removed.').waitFor();
    await button('Continue').click();
    await heading('Add a new passkey').waitFor();
    await page.getByText(`${passkey} and the password`, { exact: true }).waitFor();
    await button('Change what you keep').click();
    await page.getByRole('checkbox', { name: 'Password', exact: true }).check();
    await page.getByText('You keep the password. 1 passkey is removed.').waitFor();
    await photograph(page, 'recover-keep-password');
    await button('Continue').click();
    await heading('Add a new passkey').waitFor();
    await photograph(page, 'recover-passkey');
    await button('Change what you keep').click();
    expect(await page.getByRole('checkbox', { name: 'Password', exact: true }).isChecked()).toBe(true);
    await button('Continue').click();
  });

  test('adds a passkey on another device and receives new recovery codes', async () => {
    await addAuthenticator(cdp, 'internal');
    const replaced = codes;
    await button('Add passkey').click();
    await dialog('Save your recovery codes').waitFor();
    codes = await shownCodes();
    expect(codes).toHaveLength(10);
    expect(codes.filter((code) => replaced.includes(code))).toEqual([]);
    usedCode = replaced[0] ?? '';
    await photograph(page, 'recover-codes');
  });

  test('is signed out in the other browser after the recovery, and cannot use the recovery code again', async () => {
    await reload(elsewhere);
    await heading('Sign in', elsewhere).waitFor();
    await elsewhere.goto(`${stage.origin}/recover`);
    await elsewhere.getByLabel('Username').fill(username);
    await elsewhere.getByLabel('Recovery code').fill(usedCode);
    await button('Continue', elsewhere).click();
    await elsewhere.getByText('That didn’t work').waitFor();
  });

  test('sees after a reload that recovery codes exist, and creates new recovery codes', async () => {
    page.once('dialog', (question) => void question.accept());
    await reload();
    await heading('Your recovery codes').waitFor();
    await page.getByText('You have 10 recovery codes').waitFor();
    await photograph(page, 'recover-codes-unseen');
    await button('Create new recovery codes').click();
    await dialog('Save your recovery codes').waitFor();
    expect((await shownCodes()).filter((code) => codes.includes(code))).toEqual([]);
    await page.getByLabel('I have saved my codes').check();
    await button('Done').click();
    await page.getByText('Your account is recovered').waitFor();
    await page.getByText('10 recovery codes left').waitFor();
    await photograph(page, 'recovered');
  });

  test('has the new passkey and the password, and no other passkey', async () => {
    await page.getByRole('link', { name: 'Review sign-in methods' }).click();
    await heading('Security').waitFor();
    await settled(page);
    await expect.poll(() => section('Passkeys').getByRole('listitem').count()).toBe(1);
    await section('Passkeys').getByText('Not used yet').waitFor();
    await signInWithPassword(elsewhere, secondPassword);
  });

  test('removes the password, and is signed out in the other browser', async () => {
    await choose(page, 'Actions for the password', 'Remove');
    await dialog('Remove the password?').waitFor();
    await photograph(page, 'password-remove');
    await button('Remove password').click();
    await heading('No password').waitFor();
    await reload(elsewhere);
    await heading('Sign in', elsewhere).waitFor();
  });

  test('cannot remove the password after removing the last passkey, and authenticates with the password', async () => {
    await button('Set password').click();
    await section('Password').getByLabel('Password', { exact: true }).fill(firstPassword);
    await button('Set password').click();
    await heading('You have a password').waitFor();
    await stage.age();
    await choose(section('Passkeys'), /^Actions for/, 'Remove');
    await button('Remove passkey').click();
    await expect.poll(() => section('Passkeys').getByRole('listitem').count()).toBe(0);
    await choose(page, 'Actions for the password', 'Remove');
    await dialog('You can’t remove your password yet').waitFor();
    await photograph(page, 'password-last');
    await button('Close').click();
    await stage.age();
    await button('Set new password').click();
    await section('Password').getByLabel('New password').fill(secondPassword);
    await button('Set new password').click();
    const question = dialog('Confirm it’s you');
    await question.getByLabel('Password', { exact: true }).waitFor();
    expect(await question.getByText(/passkey/).count()).toBe(0);
    await photograph(page, 'step-up-password-only');
    await question.getByLabel('Password', { exact: true }).fill('not the password');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.getByText('Wrong password').waitFor();
    await photograph(page, 'step-up-password-refused');
    await button('Cancel').last().click();
    await page.getByText('The password wasn’t set').waitFor();
    await photograph(page, 'password-not-confirmed');
  });

  test('opens an operator’s recovery link, whose token disappears from the URL, and confirms before using the link', async () => {
    const token = await linkFor(stage.database.url);
    await elsewhere.goto(`${stage.origin}/recover#token=${token}`);
    await button('Continue', elsewhere).waitFor();
    expect(elsewhere.url()).toBe(`${stage.origin}/recover`);
    await photograph(elsewhere, 'recover-link');
    await elsewhere.goto(`${stage.origin}/signin`);
    await elsewhere.goto(`${stage.origin}/recover#token=${token}`);
    await button('Continue', elsewhere).click();
    await heading('Which of these do you still have?', elsewhere).waitFor();
    await elsewhere.getByText('you need another recovery link').waitFor();
    await button('Cancel recovery', elsewhere).click();
    await heading('Sign in', elsewhere).waitFor();
  });

  test('cannot use the recovery link twice', async () => {
    const token = await linkFor(stage.database.url);
    await goTo(`/recover#token=${token}`);
    await page.getByText('You’re signed in here as').waitFor();
    await photograph(page, 'recover-link-signed-in');
    await elsewhere.goto(`${stage.origin}/recover#token=${token}`);
    await button('Continue', elsewhere).click();
    await heading('Which of these do you still have?', elsewhere).waitFor();
    await button('Continue').click();
    await page.getByText('This link no longer works').waitFor();
    await photograph(page, 'recover-link-refused');
    await button('Stay signed in').click();
    await heading(`Hello, ${username}`).waitFor();
  });

  test('sees that the recovery session has expired', async () => {
    await stage.database.sql`update latchkey.sessions set expires_at = now() where kind = 'recovery'`;
    await button('Continue', elsewhere).click();
    await button('Add passkey', elsewhere).click();
    await elsewhere.getByText('This recovery has ended').waitFor();
    await photograph(elsewhere, 'recover-out-of-time');
  });

  test('sees no field for a recovery code in a browser that cannot create passkeys', async () => {
    await elsewhere.addInitScript('delete window.PublicKeyCredential');
    await elsewhere.goto(`${stage.origin}/recover`);
    await elsewhere.getByText('This browser can’t create passkeys').waitFor();
    expect(await elsewhere.getByRole('textbox').count()).toBe(0);
    await photograph(elsewhere, 'recover-obstacle');
    await elsewhere.goto(`${stage.origin}/signin`);
    await elsewhere.getByRole('link', { name: 'Use your password' }).waitFor();
    await photograph(elsewhere, 'sign-in-obstacle');
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Returns the recovery code as a user types it from paper. */
const sloppy = (code: string) => ` ${code.toLowerCase().replaceAll('-', '  ')} `;

async function linkFor(url: string): Promise<string> {
  const auth = await createAuthService({ database: url, secret, env: {} });
  const { token } = await auth.asOperator('support desk').users.createRecoveryLink(username);
  await auth.close();
  return token;
}
