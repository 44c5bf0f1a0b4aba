import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './support/chromium.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const password = 'eight ships in a bottle';

story('an authenticator', () => {
  let stage: Stage;
  /** The same user on two devices. */
  let laptop: Person;
  let phone: Person;

  const section = ({ page }: Person, name: string) => page.getByRole('region', { name });
  const passkeyRows = (person: Person) => section(person, 'Passkeys').getByRole('listitem');
  const signOutOf = async (person: Person) => {
    await signOut(person.page);
  };

  beforeAll(async () => {
    stage = await setStage();
    laptop = await createPerson(stage, 'ada');
    phone = await createPerson(stage, 'ada');
  });
  afterAll(() => stage?.close());

  test('without user verification creates no passkey, and the user gets no account', async () => {
    await laptop.device.setUserVerified(false);
    await laptop.goTo('/signup');
    await laptop.page.getByLabel('Username').fill('ada');
    await laptop.button('Create account with a passkey').click();
    await laptop.page.getByText('No account was created').waitFor();
    await photograph(laptop.page, 'sign-up-not-made');
    expect(await laptop.page.getByLabel('Username').inputValue()).toBe('ada');
    expect(await laptop.device.credentials()).toEqual([]);
    expect(await stage.database.sql`select * from latchkey.users`).toEqual([]);
    await laptop.device.setUserVerified(true);
    await signUp(laptop);
  });

  test('creates no second passkey for the same account', async () => {
    await laptop.follow('Security');
    await laptop.button('Add passkey').click();
    await laptop.page.getByText('This device already has a passkey for your account').waitFor();
    await photograph(laptop.page, 'passkey-exists');
    expect(await laptop.device.credentials()).toHaveLength(1);
  });

  test('creates no passkey if the user dismisses the prompt', async () => {
    await laptop.page.evaluate(`navigator.credentials.create = async () => {
      throw new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError');
    }`);
    await laptop.button('Add passkey').click();
    await laptop.page.getByText('No passkey was added').waitFor();
    await photograph(laptop.page, 'passkey-not-added');
    expect(await passkeyRows(laptop).count()).toBe(1);
    await laptop.reload();
  });

  test('that fails makes the page show an error', async () => {
    await passkeyRows(laptop).first().waitFor();
    await laptop.page.evaluate(`navigator.credentials.create = async () => {
      throw new DOMException('The authenticator is broken.', 'NotReadableError');
    }`);
    await laptop.button('Add passkey').click();
    await laptop.page.getByText('The device or security key reported an error').waitFor();
    await laptop.reload();
  });

  test('without user verification allows no sign-in, and the page offers other ways to sign in', async () => {
    await section(laptop, 'Password').getByRole('button', { name: 'Set password' }).click();
    await section(laptop, 'Password').getByLabel('Password', { exact: true }).fill(password);
    await laptop.button('Set password').click();
    await laptop.heading('You have a password').waitFor();
    await signOutOf(laptop);
    await laptop.device.setUserVerified(false);
    await laptop.button('Sign in with a passkey').click();
    await laptop.page.getByText('You’re not signed in yet').waitFor();
    await laptop.page.getByRole('link', { name: 'Use your password' }).waitFor();
    await laptop.page.getByRole('link', { name: 'Use a recovery code' }).waitFor();
    await photograph(laptop.page, 'sign-in-not-verified');
    await laptop.device.setUserVerified(true);
  });

  test('with an invalid signature is rejected', async () => {
    const authenticatorId = laptop.device.id;
    await laptop.cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: true });
    await laptop.button('Sign in with a passkey').click();
    await laptop.page.getByText('Couldn’t sign in').waitFor();
    await photograph(laptop.page, 'sign-in-refused');
    await laptop.cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: false });
  });

  test('that never responds does not prevent another way to sign in', async () => {
    await phone.device.lose();
    await phone.goTo('/signin');
    await phone.button('Sign in with a passkey').click();
    await photograph(phone.page, 'sign-in-waiting');
    await phone.page.getByRole('link', { name: 'Use your password' }).click();
    await phone.page.getByLabel('Username').fill('ada');
    await phone.page.getByLabel('Password', { exact: true }).fill(password);
    await phone.button('Sign in').click();
    await phone.heading('Hello, ada').waitFor();
  });

  test('on a second device creates a second passkey, and the user can then sign in on both devices', async () => {
    // A copy of the laptop’s passkey simulates a step-up with the laptop over a QR code.
    const overQrCode = await addAuthenticator(phone.cdp, 'internal');
    await overQrCode.receive(laptop.device);
    await phone.follow('Security');
    await phone.button('Add passkey').click();
    await phone.button('Use your passkey').click();
    await phone.page.getByText('This device already has a passkey').waitFor();
    // The laptop has the counter that the step-up increased.
    await laptop.device.lose();
    laptop.device = await addAuthenticator(laptop.cdp, 'internal');
    await laptop.device.receive(overQrCode);
    await overQrCode.lose();
    phone.device = await addAuthenticator(phone.cdp, 'internal');
    await phone.button('Add passkey').click();
    await expect.poll(() => passkeyRows(phone).count()).toBe(2);
    const [onLaptop, onPhone] = [await laptop.device.credentials(), await phone.device.credentials()];
    expect([onLaptop.length, onPhone.length]).toEqual([1, 1]);
    expect(onLaptop[0]?.credentialId).not.toBe(onPhone[0]?.credentialId);
    await signOutOf(phone);
    for (const person of [laptop, phone]) {
      await person.button('Sign in with a passkey').click();
      await person.heading('Hello, ada').waitFor();
    }
    await phone.follow('Security');
    await expect
      .poll(() =>
        passkeyRows(phone)
          .getByText(/Last used/)
          .count(),
      )
      .toBe(2);
    await expect.poll(() => section(phone, 'Sessions').getByRole('listitem').count()).toBe(2);
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
