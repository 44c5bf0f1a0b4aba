import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { addAuthenticator, webAuthnOf } from './support/chromium.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

/** The forms for signed-in users: how to open and to send each, and the field to type into. */
const forms: {
  name: string;
  path: string;
  open: (ada: Person) => Promise<void>;
  field: string;
  send: string;
}[] = [
  {
    name: 'a file',
    path: '/files',
    open: (ada) => ada.button('Create file in Personal files').click(),
    field: 'Name',
    send: 'Create file',
  },
  {
    name: 'an organization',
    path: '/organizations',
    open: (ada) => ada.button('Create an organization').click(),
    field: 'Name',
    send: 'Create organization',
  },
  {
    name: 'a password',
    path: '/settings/security',
    open: (ada) => ada.button('Set password').click(),
    field: 'Password',
    send: 'Set password',
  },
  {
    name: 'the name of a passkey',
    path: '/settings/security',
    open: (ada) => choose(ada.page, /^Actions for/, 'Rename'),
    field: 'Name of the passkey',
    send: 'Save',
  },
  { name: 'a profile', path: '/settings/profile', open: async () => {}, field: 'Display name', send: 'Save' },
];

story('a user whose session has ended', () => {
  let stage: Stage;
  let ada: Person;
  /** Ends all sessions. The server keeps a session in its memory until the notification of the database arrives. */
  const endSessions = async () => {
    await stage.database.sql`delete from latchkey.sessions`;
    await eventually(async () => {
      const answer = await ada.page.request.get(`${stage.origin}/auth/session?optional`);
      return (await answer.json()).user === null;
    });
  };
  const question = () => ada.dialog('Your session ended');
  const signInAgain = async () => {
    await question().getByRole('button', { name: 'Sign in with a passkey' }).click();
    await question().waitFor({ state: 'detached' });
    await settled(ada.page);
  };
  /** Waits until the page is visible, because a hidden page reads nothing. Then the page reads the session. */
  const readSession = () => eventually(() => ada.page.evaluate(announceVisible));
  /** Another user signs up in another tab. The first tab then reads the session. */
  const takeOver = async (username: string) => {
    const other = await stage.open(ada.page.context());
    await addAuthenticator(await webAuthnOf(other), 'usb');
    await other.context().clearCookies();
    await other.goto(`${stage.origin}/signup`);
    await settled(other);
    await other.getByLabel('Username').fill(username);
    await other.getByRole('button', { name: 'Create account with a passkey' }).click();
    await other.getByRole('heading', { name: `Hello, ${username}` }).waitFor();
    await other.close();
    await readSession();
    await ada.button(`Account menu of ${username}`).waitFor();
  };
  const field = (label: string) =>
    ada.page.getByRole('textbox', { name: new RegExp(`^${label}( |$)`) }).last();

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    await stage.database.sql`update latchkey.users set role = 'superadmin'`;
  });
  afterAll(() => stage?.close());

  test('must sign in again before the page is visible, and keeps the typed text', async () => {
    await ada.goTo('/files');
    await ada.button('Create file in Personal files').click();
    await field('Name').fill('Diary');
    await endSessions();
    await ada.button('Create file').click();
    await question().waitFor();
    await photograph(ada.page, 'session-ended');
    expect(await ada.page.evaluate(seenBehind)).toEqual([]);
    // Escape must not close the dialog.
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('Escape');
    await signInAgain();
    expect(await ada.page.getByRole('alert').count()).toBe(0);
    await ada.button('Create file').click();
    await ada.row('Diary').waitFor();
  });

  test.each(forms)('keeps the text of $name', async ({ path, open, field: label, send }) => {
    await ada.goTo(path);
    await open(ada);
    await field(label).fill('typed for an hour');
    await endSessions();
    await ada.button(send).last().click();
    await question().waitFor();
    await signInAgain();
    expect(await field(label).inputValue()).toBe('typed for an hour');
  });

  test('gets the content that could not be loaded before the new sign-in', async () => {
    await ada.goTo('/organizations');
    await ada.button('Create an organization').click();
    await field('Name').fill('Engines');
    await endSessions();
    await readSession();
    await question().waitFor();
    await signInAgain();
    await ada.button('Create organization').click();
    await ada.heading('Engines').waitFor();
  });

  test('can leave the page instead, and finds the username on the sign-in page', async () => {
    await ada.goTo('/settings/profile');
    await field('Display name').fill('Ada');
    await endSessions();
    await readSession();
    await question().getByRole('button', { name: 'Go to the sign-in page' }).click();
    await ada.heading('Sign in').waitFor();
    await ada.page.getByText('Your session ended').waitFor();
    expect(await field('Username').inputValue()).toBe('ada');
    await photograph(ada.page, 'session-ended-sign-in');
    await ada.button('Sign in with a passkey').click();
    await ada.heading('Profile').waitFor();
  });

  test('is sent to the sign-in page without a dialog if nothing was typed, and returns to the page', async () => {
    await ada.goTo('/settings/security');
    await endSessions();
    await ada.follow('Organizations');
    await ada.page.getByText('Your session ended').waitFor();
    expect(new URL(ada.page.url()).searchParams.get('to')).toBe('/organizations');
    await ada.button('Sign in with a passkey').click();
    await ada.row('Engines').waitFor();
  });

  test('leaves no typed text for the next user of the browser', async () => {
    await ada.goTo('/files');
    await ada.button('Create file in Personal files').click();
    await field('Name').fill('The secret of ada');
    await endSessions();
    await readSession();
    await question().waitFor();
    await takeOver('bob');
    await question().waitFor({ state: 'detached' });
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
  });

  test('does not confirm a waiting request of the previous user', async () => {
    const sets = ada.button('Set password');
    await ada.goTo('/settings/security');
    await sets.click();
    await field('Password').fill('only bob knows this password');
    await stage.age();
    await sets.last().click();
    await ada.dialog('Confirm it’s you').waitFor();
    const context = ada.page.context();
    const cookiesOfBob = await context.cookies();
    await takeOver('carol');
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
    await settled(ada.page);
    expect(
      await stage.database.sql`select 1 from latchkey.users where password_hash is not null`,
    ).toHaveLength(0);
    // The request of Bob has ended, so it does not ask Bob to confirm again.
    await context.clearCookies();
    await context.addCookies(cookiesOfBob);
    await readSession();
    await ada.button(/^Account menu of bob/).waitFor();
    await settled(ada.page);
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
  });

  test('sees no notice about an ended session after a sign-out', async () => {
    await signOut(ada.page);
    expect(await ada.page.getByText('Your session ended').count()).toBe(0);
    expect(await field('Username').inputValue()).toBe('');
  });

  test('causes no other errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

const announceVisible = `document.visibilityState === 'visible' && document.dispatchEvent(new Event('visibilitychange'))`;

/** Returns the titles of the dialogs that are visible behind the last one, and the backdrop if it is transparent. */
const seenBehind = `(() => {
  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const front = dialogs.find(({ className }) => className.includes('dialog--opaque'));
  const behind = dialogs.filter((dialog) => dialog !== front && getComputedStyle(dialog).opacity !== '0');
  const { backgroundColor } = getComputedStyle(front, '::backdrop');
  return [
    ...behind.map(({ textContent }) => textContent),
    ...(/^rgb\\(/.test(backgroundColor) ? [] : [backgroundColor]),
  ];
})()`;
