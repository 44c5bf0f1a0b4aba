import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user who checks the activity of the account', () => {
  let stage: Stage;
  let ada: Person;
  const sentences = () => ada.page.locator('.event__sentence').allInnerTexts();

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    const { sql } = stage.database;
    await sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_id, target_name, ip, details,
        count)
      select gen_random_uuid(), now() - interval '1 day', 'password.login', 'failure', 'anonymous', 'user', id, 'ada',
        '198.51.100.7', '{"reason": "no_password"}', 3
      from latchkey.users`;
  });
  afterAll(() => stage?.close());

  test('reads sentences about themselves, in groups by day', async () => {
    await ada.goTo('/settings/activity');
    expect(await sentences()).toEqual([
      'You signed up',
      'Someone tried to sign in to your account with a password Refused 3 times',
    ]);
    await ada.heading(/^Today, /).waitFor();
    await ada.heading(/^Yesterday, /).waitFor();
    await ada.page.getByText('198.51.100.7').first().waitFor();
    await photograph(ada.page, 'own-activity');
    await expectAccessible(ada.page, 'the personal activity');
  });

  test('filters the events, and the URL contains the filter', async () => {
    await ada.button('Refused').click();
    await expect.poll(async () => (await sentences()).length).toBe(1);
    await ada.reload();
    expect(await sentences()).toHaveLength(1);
    expect(await ada.button('Refused').getAttribute('aria-pressed')).toBe('true');
    await ada.page.goBack();
    await settled(ada.page);
  });

  test('finds a link to the security page', async () => {
    await ada.goTo('/settings/activity');
    await ada.page.getByRole('link', { name: 'Check your security' }).click();
    await ada.heading('Security').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
