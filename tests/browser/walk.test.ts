import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { addAuthenticator, findChromium } from './support/chromium.ts';
import { deviceLabel } from './support/device-label.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { snap, takesPictures } from './support/photograph.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { storyIn } from './support/story.ts';

// One story that uses all pages and starts with an empty database. The other browser tests cover all its steps, so it
// runs only to take screenshots.
storyIn(takesPictures ? findChromium() : null)('a walk through the pages:', () => {
  let stage: Stage;
  let root: Person;
  let ada: Person;
  let bob: Person;
  let steps = 0;

  const record = (person: Person, name: string) => {
    steps += 1;
    return snap(person.page, `walk-${`${steps}`.padStart(2, '0')}-${name}`);
  };
  const shownLink = (person: Person) => person.page.locator('.copy-line input[readonly]').inputValue();
  const saveCodes = async (person: Person) => {
    await person.dialog('Save your recovery codes').waitFor();
    await person.page.getByLabel('I have saved my codes').check();
    await person.button('Done').click();
  };

  beforeAll(async () => {
    stage = await setStage();
    root = await createPerson(stage, 'root-of-all');
    ada = await createPerson(stage, 'ada');
    bob = await createPerson(stage, 'bob');
  });
  afterAll(() => stage?.close());

  test('the operator creates a link, and the first superadmin adds a passkey with the link', async () => {
    const env = { DATABASE_URL: stage.database.url, WEBAUTHN_RP_ORIGIN: stage.origin };
    const { exitCode, stdout } = await runCommand('bootstrap --passkey --username root-of-all', { env });
    expect(exitCode).toBe(0);
    await root.goTo(stdout.trim());
    await root.button('Continue').click();
    await root.heading('Add your first passkey').waitFor();
    await record(root, 'first-passkey');
    await root.button('Add passkey').click();
  });

  test('the superadmin saves recovery codes', async () => {
    await root.dialog('Save your recovery codes').waitFor();
    await record(root, 'codes');
    await saveCodes(root);
    await root.heading('Hello, root-of-all').waitFor();
    await record(root, 'account');
  });

  test('the superadmin adds a second passkey on a security key', async () => {
    await root.follow('Security');
    await root.device.setPresent(false);
    const securityKey = await addAuthenticator(root.cdp, 'usb');
    await root.button('Add passkey').click();
    const rows = root.page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    await record(root, 'second-passkey');
    await securityKey.setPresent(false);
    await root.device.setPresent(true);
  });

  test('the superadmin invites an admin, who signs up with the link and accepts the invitation', async () => {
    await root.follow('Invitations');
    await root.button('Invite user').click();
    await root.page.getByLabel('Username').fill('ada');
    await root.button('Create invitation').click();
    await root.dialog('New invitation link').waitFor();
    const link = await shownLink(root);
    await record(root, 'invitation-made');
    await root.button('Done').click();

    await ada.goTo(link);
    await ada.heading('You’re invited').waitFor();
    await record(ada, 'invited');
    await ada.button('Create account and accept').click();
    await ada.heading('You’re now an admin').waitFor();
    await record(ada, 'accepted');
  });

  test('the admin creates an organization', async () => {
    await ada.page.getByRole('link', { name: 'Go to organizations' }).click();
    await ada.button('Create an organization').click();
    await ada.page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await ada.button('Create organization').click();
    await ada.heading('Analytical Engines').waitFor();
    await record(ada, 'organization-founded');
  });

  test('a user signs up, is invited, and accepts the invitation', async () => {
    await signUp(bob);
    await record(bob, 'signed-up');
    await ada.button('Invite members').click();
    await ada.page.getByRole('combobox', { name: 'Usernames' }).fill('bob');
    await ada.button('Create invitation').click();
    await ada.button('Revoke the invitation for bob').waitFor();
    await record(ada, 'member-invited');
    await bob.reload();
    await bob.button('Accept the invitation to Analytical Engines').click();
    await bob.page.getByText('You’re a member of Analytical Engines').waitFor();
    await record(bob, 'member-accepted');
  });

  test('the member loses the only passkey and can no longer sign in', async () => {
    await signOut(bob.page);
    await bob.device.lose();
    await record(bob, 'locked-out');
  });

  test('the admin creates a recovery link, and the member recovers the account with the link', async () => {
    await ada.follow('Users');
    await choose(ada.page, 'Actions for bob', 'Create recovery link');
    await ada.button('Create recovery link').click();
    await ada.dialog('Recovery link for bob').waitFor();
    const link = await shownLink(ada);
    await record(ada, 'recovery-link');
    await ada.button('Done').click();

    await bob.goTo(link);
    await bob.button('Continue').click();
    await bob.heading('Which of these do you still have?').waitFor();
    await record(bob, 'nothing-kept');
    await bob.button('Continue').click();
    await bob.heading('Add a new passkey').waitFor();
    await addAuthenticator(bob.cdp, 'internal');
    await bob.button('Add passkey').click();
    await saveCodes(bob);
    await bob.page.getByText('Your account is recovered').waitFor();
    await record(bob, 'recovered');
  });

  test('the admin makes the member an organization admin', async () => {
    await ada.follow('Organizations');
    await ada.page.getByRole('link', { name: 'Analytical Engines' }).click();
    await choose(ada.page, 'Actions for bob', 'Change role');
    await ada.button('Change role').click();
    await ada.row('bob').getByText('Organization admin').waitFor();
    await record(ada, 'member-promoted');
    await bob.follow('Organizations');
    await bob.row('Analytical Engines').getByText('Organization admin').waitFor();
  });

  test('the activity page shows all events in order', async () => {
    await root.follow('Activity');
    const sentences = root.page.locator('.event__sentence');
    await sentences.first().waitFor();
    await record(root, 'activity');
    const told = (await sentences.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(told.reverse()).toEqual([
      expect.stringMatching(/^\S+ \(operator\) made root-of-all a superadmin$/),
      'root-of-all used a recovery link',
      expect.stringMatching(`^root-of-all added the passkey ${deviceLabel}$`),
      'root-of-all created new recovery codes',
      'root-of-all recovered their account with a new passkey',
      'root-of-all added the passkey Security key',
      'root-of-all invited ada to be an admin',
      // One request caused both events, so they share a time and their order varies.
      expect.stringMatching(/^ada (signed up|accepted an invitation to be an admin)$/),
      expect.stringMatching(/^ada (signed up|accepted an invitation to be an admin)$/),
      'ada created the organization Analytical Engines',
      'bob signed up',
      'ada invited bob to Analytical Engines',
      'bob accepted an invitation to Analytical Engines',
      'bob signed out',
      'ada created a recovery link for bob',
      'bob used a recovery link',
      expect.stringMatching(`^bob added the passkey ${deviceLabel}$`),
      expect.stringMatching(`^bob removed the passkey ${deviceLabel}$`),
      'bob created new recovery codes',
      'bob recovered their account with a new passkey',
      'ada changed the role of bob in Analytical Engines to organization admin',
    ]);
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
