import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, type VirtualAuthenticator } from './support/chromium.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const password = 'eight ships in a bottle';

story('the passkeys on a device match the passkeys of the service:', () => {
  let stage: Stage;
  let ada: Person;
  let securityKey: VirtualAuthenticator;

  const passkeyRows = () => ada.page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
  const signInWithPassword = async () => {
    await signOut(ada.page);
    await ada.goTo('/signin/password');
    await ada.page.getByLabel('Username').fill('ada');
    await ada.page.getByLabel('Password', { exact: true }).fill(password);
    await ada.button('Sign in').click();
    await ada.heading('Hello, ada').waitFor();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
  });
  afterAll(() => stage?.close());

  test('a removed passkey is deleted from its device and from no other device', async () => {
    await ada.follow('Security');
    await ada.device.setPresent(false);
    securityKey = await addAuthenticator(ada.cdp, 'usb');
    await ada.button('Add passkey').click();
    await expect.poll(() => passkeyRows().count()).toBe(2);
    await choose(passkeyRows().first(), /^Actions for/, 'Remove');
    await ada.button('Remove passkey').click();
    await expect.poll(() => ada.device.credentials()).toEqual([]);
    expect(await securityKey.credentials()).toHaveLength(1);
  });

  test('a user can add a passkey with a click if the browser did not create a passkey automatically', async () => {
    await ada.button('Set password').click();
    await ada.page
      .getByRole('region', { name: 'Password' })
      .getByLabel('Password', { exact: true })
      .fill(password);
    await ada.button('Set password').click();
    await ada.heading('You have a password').waitFor();
    await ada.page.getByLabel('Name this passkey').press('Escape');
    await choose(passkeyRows(), /^Actions for/, 'Remove');
    await ada.button('Remove passkey').click();
    await expect.poll(() => passkeyRows().count()).toBe(0);
    const begun = ada.page.waitForResponse(`${stage.origin}/auth/passkey/devices/add`);
    await signInWithPassword();
    expect((await begun).status()).toBe(200);
    await securityKey.setPresent(false);
    await ada.device.setPresent(true);
    await ada.follow('Security');
    await ada.button('Add passkey').click();
    await expect.poll(() => passkeyRows().count()).toBe(1);
  });

  test('the page reports a passkey that the browser created automatically', async () => {
    // Chromium creates such passkeys only in its password manager. In this test, the virtual authenticator replaces
    // the password manager.
    await ada.page.addInitScript(`{
      const { credentials } = navigator;
      const create = credentials.create.bind(credentials);
      credentials.create = ({ mediation, ...options }) => create(options);
    }`);
    await stage.database.sql`delete from latchkey.passkeys`;
    await ada.device.lose();
    ada.device = await addAuthenticator(ada.cdp, 'internal');
    await signInWithPassword();
    await ada.page.getByText('A passkey was added').waitFor();
    expect(await ada.device.credentials()).toHaveLength(1);
    await photograph(ada.page, 'passkey-added');
    await ada.page.getByRole('link', { name: 'View your passkeys' }).click();
    await expect.poll(() => passkeyRows().count()).toBe(1);
    await ada.button('Close').click();
    await expect.poll(() => ada.page.getByText('A passkey was added').count()).toBe(0);
  });

  test('a passkey that the service does not know is deleted when a user tries to sign in with this passkey', async () => {
    await stage.database.sql`delete from latchkey.passkeys`;
    await signOut(ada.page);
    await ada.button('Sign in with a passkey').click();
    await ada.page.getByText('That passkey no longer works here').waitFor();
    await photograph(ada.page, 'sign-in-unknown-passkey');
    await expect.poll(() => ada.device.credentials()).toEqual([]);
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
