import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { expectMirrored } from './support/mirrored.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { expectToFit, narrow, wide } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { openAccountMenu } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { inChromium } from './support/story.ts';

const organization = '0199aa00-0000-7000-8000-00000000000a';
const bob = '0199aa00-0000-7000-8000-00000000000b';

inChromium('in a right-to-left language', () => {
  let stage: Stage;
  let ada: Person;
  let visitor: Person;

  /** Checks the current state at the smallest and at the largest width. Sets the direction back to left-to-right. */
  const expectRightToLeft = async ({ page }: Person, name: string) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const width of [wide, narrow]) {
      await page.setViewportSize({ width, height: 800 });
      // An open menu moves to its button in the next frame.
      await settled(page);
      await expectMirrored(page, `${name} at ${width} px`);
      await expectToFit(page, `${name}, right-to-left`, width);
    }
    await expectAccessible(page, `${name}, right-to-left`);
    await page.evaluate(`document.documentElement.dir = 'ltr'`);
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    visitor = await createPerson(stage, 'bob');
    await signUp(ada);
    await fill(stage);
  });
  afterAll(() => stage?.close());

  test.each(['/signin', '/signin/password', '/signup', '/recover', '/join'])(
    '%s is mirrored',
    async (path) => {
      await visitor.goTo(path);
      await expectRightToLeft(visitor, path);
    },
  );

  test.each([
    '/',
    '/settings/profile',
    '/settings/security',
    '/settings/activity',
    '/files',
    '/organizations',
    `/organizations/${organization}`,
    '/admin/overview',
    '/admin/users',
    `/admin/users/${bob}`,
    '/admin/activity',
    '/admin/invitations',
    '/admin/webhooks',
  ])('%s is mirrored', async (path) => {
    await ada.goTo(path);
    await expectRightToLeft(ada, path);
  });

  test('the account menu is mirrored', async () => {
    await ada.goTo('/');
    await ada.page.setViewportSize({ width: wide, height: 800 });
    await openAccountMenu(ada.page);
    await expectMirrored(ada.page, 'the account menu');
  });

  test('the navigation in the drawer is mirrored', async () => {
    await ada.page.setViewportSize({ width: narrow, height: 800 });
    await ada.goTo('/');
    await ada.button('Open navigation').click();
    await expectMirrored(ada.page, 'the drawer');
    await ada.page.evaluate(`document.documentElement.dir = 'ltr'`);
  });

  test('the details of an event are mirrored', async () => {
    await ada.goTo('/admin/activity');
    await ada.page.locator('summary').first().click();
    await expectRightToLeft(ada, 'the details of an event');
  });

  test('the menu with the actions on a user is mirrored', async () => {
    await ada.goTo('/admin/users');
    await ada.button('Actions for bob').click();
    await ada.page.getByRole('menu').waitFor();
    await expectRightToLeft(ada, 'the menu with the actions on a user');
  });

  test('the sheet that invites members is mirrored', async () => {
    await ada.goTo(`/organizations/${organization}`);
    await ada.button('Invite members').click();
    await ada.button('Create invitation').waitFor();
    await expectRightToLeft(ada, 'the sheet that invites members');
  });

  test('the command palette is mirrored', async () => {
    await ada.goTo('/');
    await ada.page.keyboard.press('Control+k');
    await ada.page.getByRole('combobox', { name: 'Search or jump to…' }).fill('bob');
    await ada.page.getByRole('option', { name: 'bob' }).waitFor();
    await expectRightToLeft(ada, 'the command palette');
  });

  test('the dialog with the recovery codes is mirrored', async () => {
    await ada.goTo('/settings/security');
    await ada.button('Create recovery codes').click();
    await ada.dialog('Save your recovery codes').waitFor();
    await expectRightToLeft(ada, 'the dialog with the recovery codes');
  });

  test('the dialog that asks to sign in again is mirrored', async () => {
    await ada.goTo('/settings/profile');
    await stage.database.sql`delete from latchkey.sessions`;
    await ada.page.getByLabel('Display name').fill('Ada');
    await ada.button('Save').click();
    await ada.dialog('Your session ended').waitFor();
    await expectRightToLeft(ada, 'the dialog that asks to sign in again');
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Inserts what the pages list: a user, an organization with members, an invitation and files. */
async function fill({ database: { sql } }: Stage): Promise<void> {
  await sql`update latchkey.users set role = 'superadmin'`;
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    values (${bob}, 'bob', 'handle-of-bob', now())`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    values (${organization}, 'Engines', 'engines', now())`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select ${organization}, id, 'admin', now() from latchkey.users`;
  await sql`
    insert into latchkey.invitations (id, token_hash, role, created_by, created_at, expires_at)
    select gen_random_uuid(), 'hash', 'admin', id, now(), now() + interval '1 day'
    from latchkey.users where username = 'ada'`;
  await sql`
    insert into example_files.files (id, name, content, owner_id, owner_name, organization_id)
    select gen_random_uuid(), 'Diary', '', id, username, null from latchkey.users where username = 'ada'`;
}
