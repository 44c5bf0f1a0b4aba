import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOn } from '../cli/commands/support/command.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a superadmin who uses the account of a user', () => {
  let stage: Stage;
  let ada: Person;
  let grace: Person;
  const banner = ({ page }: Person) => page.getByRole('region', { name: 'Impersonation' });

  beforeAll(async () => {
    stage = await setStage({ env: { IMPERSONATION: 'on' } });
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    grace = await createPerson(stage, 'grace');
    await signUp(grace);
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'grace'`;
  });
  afterAll(() => stage?.close());

  test('gives a reason in the list of users, and sees the account and a banner', async () => {
    await grace.goTo('/admin/users');
    await choose(grace.page, 'Actions for ada', 'Use account');
    const dialog = grace.dialog('Use the account of ada?');
    await dialog.getByLabel('Reason').fill('Ticket 4711');
    await dialog.getByRole('button', { name: 'Use account' }).click();
    await grace.heading('Hello, ada').waitFor();
    // The end is an hour later, so it has a date if it is after midnight.
    expect(await banner(grace).innerText()).toMatch(/You are using the account of ada\. Ends (on .+ )?at \d/);
    await grace.page.getByText(/^Started .+ by grace$/).waitFor();
    expect(await grace.page.getByText('Last authenticated').count()).toBe(0);
    expect(await ada.page.getByText('Last authenticated').count()).toBe(1);
  });

  test('sees the banner on every page, and cannot change the account', async () => {
    for (const path of ['/settings/profile', '/settings/security', '/organizations', '/files']) {
      await grace.goTo(path);
      await banner(grace).waitFor();
    }
    await grace.goTo('/settings/profile');
    await grace.page.getByLabel('Display name (optional)').fill('Another name');
    await grace.button('Save').click();
    await grace.page.getByText('This is not possible while you use the account of another user').waitFor();
  });

  test('appears in the user’s list of sessions', async () => {
    await ada.goTo('/settings/security');
    await ada
      .row('Used by grace to help you')
      .getByRole('button', { name: /^End session/ })
      .waitFor();
    expect(await banner(ada).count()).toBe(0);
  });

  test('ends the impersonation, and is signed out', async () => {
    await banner(grace).getByRole('button', { name: 'End impersonation' }).click();
    await grace.page.waitForURL('**/signin');
    await settled(grace.page);
    expect(await banner(grace).count()).toBe(0);
  });

  test('appears in the activity with both names', async () => {
    await grace.button('Sign in with a passkey').click();
    await grace.heading('Hello, grace').waitFor();
    await grace.goTo('/admin/activity');
    await grace.row('ada (impersonated by grace) ended an impersonation').waitFor();
    await grace.row('grace started using the account of ada').waitFor();
  });

  test('can open an operator’s link only once', async () => {
    const latchkey = commandsOn(() => stage.database);
    const { stdout } = await latchkey('users impersonate ada --reason Ticket-4712', {
      IMPERSONATION: 'on',
      WEBAUTHN_RP_ORIGIN: stage.origin,
    });
    const [link = ''] = /http\S+#token=\S+/.exec(stdout) ?? [];
    await grace.goTo(link);
    await grace.heading('Use the account of a user').waitFor();
    expect(grace.page.url()).not.toContain('token');
    await grace.button('Use account').click();
    await grace.heading('Hello, ada').waitFor();
    await banner(grace).waitFor();
    await ada.goTo(link);
    await ada.button('Use account').click();
    await ada.page.getByText('This link no longer works').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
