import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCompleteChromium } from './support/chromium.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { storyIn } from './support/story.ts';

// Chromium's user interface offers the passkeys in autofill. The headless shell has no user interface, so this story
// needs the complete Chromium.
const executable = findCompleteChromium();
const password = 'eight ships in a bottle';
/** The first attempt and five retries. Then the page stops. */
const mostAttempts = 6;

/** A user whose virtual authenticator selects a passkey as soon as the page offers passkeys in autofill. */
storyIn(executable)('a user who signs in with autofill', () => {
  let stage: Stage;
  let ada: Person;
  let attempts = 0;

  /** Leaves the page with the sign-in form, so that the authenticator responds only on the next visit. */
  const signOutAndLeave = async () => {
    await ada.device.setPresent(false);
    await signOut(ada.page);
    await ada.goTo('/signup');
    await ada.device.setPresent(true);
  };
  const passkeyRows = (person: Person) =>
    person.page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
  const signInWithPassword = async (person: Person) => {
    await person.goTo('/signin/password');
    await person.page.getByLabel('Username').fill('ada');
    await person.page.getByLabel('Password', { exact: true }).fill(password);
    await person.button('Sign in').click();
    await person.heading('Hello, ada').waitFor();
    await settled(person.page);
  };

  beforeAll(async () => {
    stage = await setStage({ executable });
    ada = await createPerson(stage, 'ada', { usesAutofill: true });
    ada.page.on('request', (request) => {
      if (request.url() === `${stage.origin}/auth/passkey/login/verify`) attempts += 1;
    });
    await signUp(ada);
    await ada.goTo('/settings/security');
    await ada.button('Set password').click();
    await ada.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await ada.button('Set password').click();
    await ada.heading('You have a password').waitFor();
  });
  afterAll(() => stage?.close());

  test('is signed in without a click, and stays signed in', async () => {
    await signOutAndLeave();
    await ada.goTo('/signin');
    await ada.heading('Hello, ada').waitFor();
    expect(attempts).toBe(1);
    await ada.reload();
    await ada.heading('Hello, ada').waitFor();
    expect(await ada.device.credentials()).toMatchObject([{ signCount: 2 }]);
  });

  test('can use the button while the page offers passkeys in autofill', async () => {
    await ada.device.setPresent(false);
    await signOut(ada.page);
    // The pending offer does not notice the change. The virtual authenticator reads this value at the start of a
    // ceremony.
    await ada.device.setPresent(true);
    await ada.button('Sign in with a passkey').click();
    await ada.heading('Hello, ada').waitFor();
  });

  test('sees an error after an invalid signature, and the page stops after six attempts', async () => {
    const authenticatorId = ada.device.id;
    await signOutAndLeave();
    attempts = 0;
    await ada.cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: true });
    await ada.goTo('/signin');
    await ada.page.getByText('Couldn’t sign in').waitFor();
    await expect.poll(() => attempts).toBe(mostAttempts);
    await settled(ada.page);
    await photograph(ada.page, 'autofill-refused');
    expect(attempts).toBe(mostAttempts);
    await ada.cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature: false });
    await ada.button('Sign in with a passkey').click();
    await ada.heading('Hello, ada').waitFor();
    expect(attempts).toBe(mostAttempts + 1);
  });

  test('sees that the account is disabled', async () => {
    const setStatus = (status: string) => stage.database.sql`update latchkey.users set status = ${status}`;
    await signOutAndLeave();
    await setStatus('disabled');
    attempts = 0;
    await ada.goTo('/signin');
    await ada.page.getByText('Your account is disabled').waitFor();
    // Another attempt of autofill would sign in as soon as the account is active.
    await expect.poll(() => attempts).toBe(mostAttempts);
    await settled(ada.page);
    await setStatus('active');
    await ada.button('Sign in with a passkey').click();
    await ada.heading('Hello, ada').waitFor();
  });

  test('sees why a passkey that was removed on another device does not work, and the browser deletes the passkey', async () => {
    await signOutAndLeave();
    const phone = await createPerson(stage, 'ada');
    // The password manager has synced the passkey to the other device.
    await phone.device.receive(ada.device);
    await signInWithPassword(phone);
    await phone.follow('Security');
    await choose(passkeyRows(phone), /^Actions for/, 'Remove');
    await phone.button('Remove passkey').click();
    await expect.poll(() => passkeyRows(phone).count()).toBe(0);

    await ada.goTo('/signin');
    await ada.page.getByText('That passkey no longer works here').waitFor();
    await expect.poll(() => ada.device.credentials()).toEqual([]);
    await settled(ada.page);
    await photograph(ada.page, 'autofill-removed-passkey');
  });

  test('adds a new passkey after a sign-in with the password, and signs in with autofill again', async () => {
    await signInWithPassword(ada);
    await ada.follow('Security');
    await ada.button('Add passkey').click();
    await expect.poll(() => passkeyRows(ada).count()).toBe(1);
    await signOutAndLeave();
    await ada.goTo('/signin?to=%2Ffiles');
    await ada.heading(/^Files$/).waitFor();
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
