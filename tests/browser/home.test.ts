import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator } from './support/chromium.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('the home page', () => {
  let stage: Stage;
  let ada: Person;

  const region = (name: string) => ada.page.getByRole('region', { name, exact: true });
  const saveCodes = async () => {
    await ada.dialog('Save your recovery codes').waitFor();
    await ada.page.getByLabel('I have saved my codes').check();
    await ada.button('Done').click();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
  });
  afterAll(() => stage?.close());

  test('says which steps are left, and adds a second passkey with the browser’s prompt', async () => {
    const steps = region('Two steps left');
    await steps.getByText('1 of 3 steps done').waitFor();
    expect(await steps.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Add a second passkey',
      'Save your recovery codes',
      'Create your first passkey (done)',
    ]);
    await photograph(ada.page, 'home-steps');

    await ada.button('Add passkey').click();
    await ada.page.getByText('This device already has a passkey for your account').waitFor();

    await ada.device.setPresent(false);
    const securityKey = await addAuthenticator(ada.cdp, 'usb');
    await ada.button('Add passkey').click();
    await region('One step left').getByText('2 of 3 steps done').waitFor();
    await ada.page.getByText('Passkey added').waitFor();
    expect(await ada.button('Add passkey').count()).toBe(0);
    expect(await securityKey.credentials()).toHaveLength(1);
  });

  test('creates recovery codes, and replaces them after a confirmation when few are left', async () => {
    await ada.button('Create recovery codes').click();
    await saveCodes();
    await region('Your account is protected').getByText('10 recovery codes left').waitFor();
    await photograph(ada.page, 'home-protected');

    await stage.database.sql`
      delete from latchkey.recovery_codes
      where code_hash not in (select code_hash from latchkey.recovery_codes limit 2)`;
    await ada.reload();
    await region('One step left').getByText('Only 2 recovery codes left').waitFor();
    await ada.button('Create new codes').click();
    await ada
      .dialog('Create new recovery codes?')
      .getByText('The new codes replace all earlier codes')
      .waitFor();
    await ada.button('Create new recovery codes').click();
    await saveCodes();
    await region('Your account is protected').getByText('10 recovery codes left').waitFor();
  });

  test('shows the latest events of the account, and links to all events', async () => {
    await ada.reload();
    const events = region('Your recent activity');
    await events.getByText(/^You added (a|the) passkey/).waitFor();
    await events.getByText('You signed up').waitFor();
    expect(await events.getByRole('link', { name: 'View all' }).getAttribute('href')).toBe(
      '/settings/activity',
    );
  });

  test('shows the organizations of the user with the user’s role', async () => {
    await region('Your organizations').getByText('You don’t belong to an organization yet.').waitFor();
    const { sql } = stage.database;
    await sql`
      with made as (
        insert into latchkey.organizations (id, name, slug, created_at)
        select gen_random_uuid(), 'محركات ' || n, 'engines-' || n, now() from generate_series(1, 6) n
        returning id
      )
      insert into latchkey.memberships (organization_id, user_id, role, joined_at)
      select made.id, users.id, 'admin', now() from made, latchkey.users`;
    await ada.reload();
    const rows = region('Your organizations').getByRole('listitem');
    expect(await rows.count()).toBe(5);
    expect(await rows.first().innerText()).toContain('Admin');
    await photograph(ada.page, 'home');
    await region('Your organizations').getByRole('link', { name: 'View all 6 organizations' }).click();
    await ada.heading('Organizations').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
