import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './support/chromium.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { openAccountMenu } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user of the command palette and of the account menu', () => {
  let stage: Stage;
  let ada: Person;
  const input = () => ada.page.getByRole('combobox', { name: 'Search or jump to…' });
  const options = () => ada.page.locator('.palette__name').allInnerTexts();
  const active = () => ada.page.evaluate<string>(activeOption);
  const press = (key: string) => ada.page.keyboard.press(key);
  const open = async () => {
    await press('Control+k');
    await input().waitFor();
  };
  /** Types a text. Returns the names of the options when the wanted one is among them. */
  const find = async (text: string, wanted: string) => {
    await input().fill(text);
    await ada.page.getByRole('option', { name: wanted }).waitFor();
    return options();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    await stage.database.sql`
      insert into latchkey.users (id, username, display_name, user_handle, created_at)
      select gen_random_uuid(), name, display_name, 'handle-of-' || name, now()
      from (values ('ben.smith', 'Ben Smith'), ('dana', 'דנה סמית'), ('w.smith', ${'W'.repeat(64)}))
        as person (name, display_name)`;
    await stage.database.sql`
      insert into latchkey.organizations (id, name, slug, created_at)
      values (gen_random_uuid(), 'Smith & Sons', 'smith-sons', now())`;
  });
  afterAll(() => stage?.close());

  test('opens the palette with the shortcut, moves with the arrow keys, and opens a page', async () => {
    await open();
    expect(await active()).toBe('Home');
    await press('ArrowUp');
    expect(await active()).toBe('Sign out');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(await active()).toBe('Security');
    await press('Enter');
    await ada.heading(/^Security$/).waitFor();
    await expect.poll(() => input().count()).toBe(0);
  });

  test('closes the palette with Escape or the shortcut, and the focus returns to the search button', async () => {
    await settled(ada.page);
    await ada.button('Search or jump to…').focus();
    await press('Enter');
    await input().waitFor();
    await press('Escape');
    await expect.poll(() => input().count()).toBe(0);
    expect(await ada.page.evaluate('document.activeElement.className')).toBe('search-field');
    await open();
    await press('Control+k');
    await expect.poll(() => input().count()).toBe(0);
  });

  test('finds no users and no pages for administrators without the role', async () => {
    const asked: string[] = [];
    ada.page.on('request', (request) => asked.push(request.url()));
    await open();
    await input().fill('smith');
    await ada.page.getByText('No results for “smith”').waitFor();
    await input().fill('users');
    await ada.page.getByText('No results for “users”').waitFor();
    // The timer that starts a search takes 300 ms. This timer starts later and takes longer, so it ends later.
    await ada.page.evaluate('new Promise((done) => setTimeout(done, 400))');
    await settled(ada.page);
    expect(asked.filter((url) => url.includes('/admin/'))).toEqual([]);
    await press('Escape');
  });

  test('finds organizations, and users by a part of their names, as an administrator', async () => {
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'ada'`;
    await ada.reload();
    await open();
    await find('smith', 'Ben Smith');
    await expect.poll(options).toEqual(['Ben Smith', 'W'.repeat(64), 'Smith & Sons']);
    await photograph(ada.page, 'command-palette');
    expect(await find('סמית', 'דנה סמית')).toEqual(['דנה סמית']);
    expect(await find('admin', 'Invitations')).toContain('Users');
    await find('smith', 'Ben Smith');
    // Enter must not open a user who matches only the text that was typed before.
    await input().fill('dana');
    expect(await options()).not.toContain('Ben Smith');
    await find('smith', 'Ben Smith');
    await press('Enter');
    await ada.heading('Ben Smith').waitFor();
    await expect.poll(() => input().count()).toBe(0);
  });

  test('switches the theme, and the account menu shows it', async () => {
    await open();
    await find('dark', 'Switch to the dark theme');
    await press('Enter');
    await expect.poll(() => ada.page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await openAccountMenu(ada.page);
    expect(await ada.page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await ada.page.getByRole('radio', { name: 'System' }).check({ force: true });
    await photograph(ada.page, 'account-menu');
    await press('Escape');
  });

  test('adds a passkey, and sees an error if that fails', async () => {
    await ada.goTo('/files');
    await open();
    await find('add pass', 'Add passkey');
    await press('Enter');
    await ada.page.getByText('already has a passkey').first().waitFor();
    await ada.device.setPresent(false);
    const key = await addAuthenticator(ada.cdp, 'usb');
    await press('Enter');
    await ada.page.getByText('Passkey added').waitFor();
    await ada.heading(/^Security$/).waitFor();
    await key.setPresent(false);
    await ada.device.setPresent(true);
  });

  test('opens the help, and the shortcut does not open the palette above it', async () => {
    await open();
    await find('help', 'Help and shortcuts');
    await press('Enter');
    await ada.dialog('Help and shortcuts').waitFor();
    await photograph(ada.page, 'help');
    // The shortcut does nothing while another dialog is open.
    await press('Control+k');
    await settled(ada.page);
    expect(await input().count()).toBe(0);
    await press('Escape');
  });

  test('chooses another language, which stays after a reload', async () => {
    await ada.goTo('/files');
    await openAccountMenu(ada.page);
    await ada.page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await ada.button('Abmelden').waitFor();
    expect(await ada.page.evaluate('document.documentElement.lang')).toBe('de');
    await photograph(ada.page, 'account-menu-german');
    await ada.reload();
    await ada.page.getByRole('link', { name: 'Sicherheit' }).first().waitFor();
    await ada.page.getByRole('button', { name: /^Kontomenü/ }).click();
    await ada.page.getByLabel('Sprache').selectOption({ label: 'System (English)' });
    await ada.button('Sign out').waitFor();
    await press('Escape');
  });

  test('sees an error if the script of the palette cannot be loaded, and can reload the page', async () => {
    stage.complaints.expect(/palette-part|status of 404/);
    await ada.page.route('**/assets/palette-part-*.js', (route) => route.fulfill({ status: 404 }));
    await ada.goTo('/files');
    await press('Control+k');
    await ada.dialog('This part of the page couldn’t be loaded').waitFor();
    await ada.page.unroute('**/assets/palette-part-*.js');
    await ada.dialog('This part').getByRole('button', { name: 'Reload page' }).click();
    await ada.page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
    await settled(ada.page);
  });

  test('has no palette after the sign-out, but can choose the language and the theme', async () => {
    await open();
    await find('sign o', 'Sign out');
    await press('Enter');
    await ada.heading('Sign in').waitFor();
    await press('Control+k');
    await settled(ada.page);
    expect(await input().count()).toBe(0);
    await ada.page.getByLabel('Theme').selectOption({ label: 'Dark theme' });
    expect(await ada.page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await ada.page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await expect.poll(() => ada.page.evaluate('document.documentElement.lang')).toBe('de');
  });

  test('causes no other errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** The name of the option that Enter opens, as the input tells screen readers. */
const activeOption = `document.getElementById(
  document.querySelector('[role=combobox]').getAttribute('aria-activedescendant'),
).querySelector('.palette__name').textContent`;
