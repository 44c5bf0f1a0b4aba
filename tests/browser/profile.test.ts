import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user who edits the profile', () => {
  let stage: Stage;
  let ada: Person;
  const nameField = () => ada.page.getByLabel('Display name (optional)');

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
  });
  afterAll(() => stage?.close());

  test('opens the form from the account page and saves a display name', async () => {
    await ada.goTo('/');
    await ada.page.getByRole('link', { name: 'Edit profile' }).click();
    await ada.heading('Profile').waitFor();
    await nameField().fill('  Ada Lovelace ');
    await ada.button('Save').click();
    await ada.page.getByText('Your display name was saved').waitFor();
    expect(await nameField().inputValue()).toBe('Ada Lovelace');
    await ada.goTo('/');
    await ada.heading('Hello, Ada Lovelace').waitFor();
  });

  test('undoes a change', async () => {
    await ada.goTo('/settings/profile');
    await nameField().fill('Countess');
    await ada.page.getByText('Not saved yet.').waitFor();
    await ada.button('Save').click();
    await ada.button('Undo').click();
    await expect.poll(() => nameField().inputValue()).toBe('Ada Lovelace');
    await expectAccessible(ada.page, 'the profile page');
  });

  test('removes the display name if the field is empty', async () => {
    await ada.goTo('/settings/profile');
    await nameField().fill('');
    await ada.button('Save').click();
    await ada.page.getByText('Your display name was saved').waitFor();
    await ada.goTo('/');
    await ada.heading('Hello, ada').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
