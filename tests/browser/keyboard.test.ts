import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './support/chromium.ts';
import { deviceLabel } from './support/device-label.ts';
import { keyboardOf, outlineOfFocused } from './support/keyboard.ts';
import { choose, createPerson, type Person } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

// One story without a mouse. Each test continues where the previous test ended.
story('a user with only the keyboard', () => {
  let stage: Stage;
  let ada: Person;
  /** The label of the first passkey. The service names the passkey after the device. */
  let passkey: string;

  const menus = () => ada.page.getByRole('button', { name: /^Actions for/ }).count();
  const { press, type, focused, tabTo } = keyboardOf(() => ada);

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
  });
  afterAll(() => stage?.close());

  test('signs up', async () => {
    await ada.goTo('/signup');
    await ada.heading('Create your account').waitFor();
    expect(await tabTo('Username')).toEqual([]);
    await type('ada');
    expect(await tabTo('Create account with a passkey')).toEqual(['Display name (optional)']);
    await press('Enter');
    await ada.heading('Hello, ada').waitFor();
    // The heading has the focus, so a screen reader starts to read the new page there.
    await expect.poll(focused).toBe('Hello, ada');
  });

  test('can skip the navigation', async () => {
    await ada.reload();
    await ada.heading('Hello, ada').waitFor();
    expect(await tabTo('Skip to content')).toEqual([]);
    expect(await ada.page.getByText('Skip to content').boundingBox()).toMatchObject({ y: 8 });
    await press('Enter');
    expect(await tabTo('Add passkey')).toEqual([]);
  });

  test('opens the security page with the command palette, and adds a passkey', async () => {
    await press('Control+k');
    await ada.page.getByRole('combobox').waitFor();
    await type('security');
    await ada.page.getByRole('option', { name: 'Security' }).waitFor();
    await press('Enter');
    await ada.heading(/^Security$/).waitFor();
    await settled(ada.page);
    passkey = await ada.page
      .getByRole('listitem')
      .filter({ has: ada.button(/^Actions for/) })
      .getByRole('heading')
      .innerText();
    expect(passkey).toMatch(new RegExp(`^${deviceLabel}$`));
    await ada.device.setPresent(false);
    await addAuthenticator(ada.cdp, 'usb');
    await tabTo('Add passkey');
    await press('Enter');
    // The new passkey asks for a name.
    await expect.poll(focused).toBe('Name this passkey');
    await press('Escape');
    await expect.poll(menus).toBe(2);
    await settled(ada.page);
  });

  test('cancels the renaming of a passkey with Escape, and then renames the passkey', async () => {
    await tabTo(`Actions for ${passkey}`);
    await press('Enter');
    await expect.poll(focused).toBe('Rename');
    await press('Enter');
    await expect.poll(focused).toBe(`Name of the passkey ${passkey}`);
    await type('Never mind');
    await press('Escape');
    await expect.poll(focused).toBe(`Actions for ${passkey}`);
    await press('Enter');
    await press('Enter');
    await expect.poll(focused).toBe(`Name of the passkey ${passkey}`);
    await type('Laptop');
    await press('Enter');
    await ada.heading('Laptop').waitFor();
    await expect.poll(focused).toBe('Actions for Laptop');
  });

  test('moves through a menu with the arrow keys, and closes it with Escape', async () => {
    await press('Enter');
    await expect.poll(focused).toBe('Rename');
    await press('ArrowDown');
    await expect.poll(focused).toMatch(/^Remove…/);
    await press('ArrowDown');
    await expect.poll(focused).toBe('Rename');
    await press('ArrowUp');
    await press('Home');
    await expect.poll(focused).toBe('Rename');
    await press('End');
    await expect.poll(focused).toMatch(/^Remove…/);
    await press('Escape');
    await expect.poll(() => ada.page.getByRole('menu').count()).toBe(0);
    await expect.poll(focused).toBe('Actions for Laptop');
  });

  test('cannot leave the confirmation dialog with Tab, and returns to the button with Escape', async () => {
    await press('Enter');
    await press('End');
    await press('Enter');
    const dialog = ada.dialog('Remove this passkey?');
    await dialog.waitFor();
    const stops = [await focused()];
    for (let steps = 0; steps < 4; steps++) {
      await press('Tab');
      stops.push(await focused());
    }
    // After the last element, Tab reaches the browser's own controls, but no element outside the dialog.
    expect(new Set(stops.filter((stop) => stop !== ''))).toEqual(new Set(['Cancel', 'Remove passkey']));
    await press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(focused).toBe('Actions for Laptop');
  });

  test('removes the passkey, and then the heading of the list has the focus', async () => {
    await press('Enter');
    await press('End');
    await press('Enter');
    await ada.dialog('Remove this passkey?').waitFor();
    if ((await focused()) !== 'Remove passkey') await tabTo('Remove passkey');
    await press('Enter');
    await expect.poll(menus).toBe(1);
    await expect.poll(focused).toBe('Passkeys');
  });

  test('signs out and in again', async () => {
    await ada.reload();
    await ada.heading(/^Security$/).waitFor();
    expect(await tabTo('Account menu of ada')).toEqual([
      'Skip to content',
      'Latchkey',
      'Search or jump to…',
      'Home',
      'Security',
      'Organizations',
      'Files',
    ]);
    await press('Enter');
    expect(await tabTo('Sign out')).toEqual([
      'Profile',
      'Security 1 passkey',
      'Your activity',
      'System',
      'Language',
      'Help and shortcuts',
    ]);
    await press('Enter');
    await ada.heading('Sign in').waitFor();
    await expect.poll(focused).toBe('Sign in');
    expect(await tabTo('Sign in with a passkey')).toEqual(['Username (optional)']);
    expect(await tabTo('Use your password')).toEqual([]);
    await press('Shift+Tab');
    await press('Enter');
    await ada.heading('Hello, ada').waitFor();
  });

  test('as an administrator, disables a user and invites a colleague', async () => {
    const { sql } = stage.database;
    await sql`update latchkey.users set role = 'superadmin'`;
    await sql`
      insert into latchkey.users (id, username, user_handle, created_at)
      values (gen_random_uuid(), 'bob', 'handle-of-bob', now())`;
    await ada.goTo('/admin/users');
    await tabTo('Actions for bob');
    await press('Enter');
    await expect.poll(focused).toMatch(/^Change role…/);
    for (let steps = 0; steps < 10 && !(await focused()).startsWith('Disable'); steps++)
      await press('ArrowDown');
    await press('Enter');
    await ada.dialog('Disable bob?').waitFor();
    await tabTo('Disable account');
    await press('Enter');
    await ada.row('bob').getByText('Disabled').filter({ visible: true }).waitFor();
    await ada.button('Disabled 1').waitFor();

    await ada.goTo('/admin/invitations');
    await tabTo('Invite user');
    await press('Enter');
    await ada.page.getByRole('dialog').waitFor();
    await tabTo('Create invitation');
    await press('Enter');
    await ada.dialog('New invitation link').waitFor();
    await tabTo('Done');
    await press('Enter');
    await expect.poll(() => ada.page.getByRole('dialog').count()).toBe(0);
    await sql`update latchkey.users set role = 'user' where username = 'ada'`;
    await ada.goTo('/');
  });

  test('sees no animations if the system asks for reduced motion', async () => {
    await ada.page.emulateMedia({ reducedMotion: 'reduce' });
    await ada.follow('Security');
    await choose(ada.page, /^Actions for/, 'Remove');
    await ada.dialog('You can’t remove your only passkey').waitFor();
    expect(await ada.page.evaluate(moving)).toEqual([]);
    await press('Escape');
    await ada.page.emulateMedia({ reducedMotion: 'no-preference' });
    // If motion is not reduced, the check finds the animation of the dialog.
    await choose(ada.page, /^Actions for/, 'Remove');
    expect(await ada.page.evaluate(moving)).not.toEqual([]);
    await press('Escape');
  });

  test('sees the focus and the borders of buttons if the system replaces the colors (forced colors)', async () => {
    await ada.page.emulateMedia({ forcedColors: 'active' });
    await tabTo('Add passkey');
    expect(await ada.page.evaluate(outlineOfFocused)).toBe('solid');
    expect(await ada.page.evaluate(frameless)).toEqual([]);
    await ada.page.emulateMedia({ forcedColors: 'none' });
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Returns the elements that are animated, or that would be animated when they change. */
const moving = `[
  ...document.getAnimations().map(({ effect }) => effect.target.className),
  ...[...document.querySelectorAll('*')]
    .filter((element) => getComputedStyle(element).transitionDuration !== '0s')
    .map(({ className }) => className),
]`;

/** Returns the buttons without a visible border. */
const frameless = `[...document.querySelectorAll('.button--primary, .button--secondary, .button--danger')]
  .filter((element) => {
    const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element);
    return borderTopStyle === 'none' || borderTopColor === backgroundColor;
  })
  .map(({ textContent }) => textContent)`;
