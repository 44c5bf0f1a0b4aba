import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const password = 'eight ships in a bottle';

story('a dialog whose action needs fresh authentication', () => {
  let stage: Stage;
  let ada: Person;

  const dialog = () => ada.dialog('Revoke your recovery codes?');
  const waiting = () => dialog().getByText('Waiting for your passkey…');
  const codesLeft = () => ada.page.getByText('10 of 10 codes left');
  /** Opens the dialog and presses its button while no passkey answers. */
  const startWithoutPasskey = async () => {
    await stage.age();
    await ada.device.setPresent(false);
    await dialog().getByRole('button', { name: 'Revoke codes' }).click();
    await waiting().waitFor();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    await ada.goTo('/settings/security');
    await ada.button('Create recovery codes').click();
    await ada.page.getByLabel('I have saved my codes').check();
    await ada.button('Done').click();
    await codesLeft().waitFor();
  });
  afterAll(() => stage?.close());

  test('says before the click that the passkey may be needed, if the last authentication is old', async () => {
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await dialog().waitFor();
    expect(await dialog().getByText('You may be asked for your passkey').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await stage.age();
    await ada.reload();
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await dialog()
      .getByText('You may be asked for your passkey. You last authenticated 11 minutes ago.')
      .waitFor();
    await photograph(ada.page, 'step-up-note');
  });

  test('opens the passkey prompt itself, and Cancel closes only the prompt', async () => {
    await startWithoutPasskey();
    expect(await ada.page.getByRole('dialog').count()).toBe(1);
    await photograph(ada.page, 'step-up-waiting');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByText('Your codes still work').waitFor();
    await expect.poll(() => waiting().count()).toBe(0);
    await photograph(ada.page, 'step-up-canceled');
    await codesLeft().waitFor();
  });

  test('closes only the prompt with the first Escape, and the dialog with the second', async () => {
    await startWithoutPasskey();
    await ada.page.keyboard.press('Escape');
    await dialog().getByText('Your codes still work').waitFor();
    await ada.page.keyboard.press('Escape');
    await expect.poll(() => dialog().count()).toBe(0);
    await codesLeft().waitFor();
  });

  test('does not open the prompt for a request that the dialog did not start', async () => {
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await stage.age();
    // The button is behind the dialog, so the test calls its handler directly, like a request in the background.
    await ada.page.evaluate(`[...document.querySelectorAll('main button')]
      .find(({ textContent }) => textContent === 'Add passkey').click()`);
    await ada.dialog('Confirm it’s you').waitFor();
    expect(await waiting().count()).toBe(0);
    await ada.dialog('Confirm it’s you').getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => dialog().count()).toBe(0);
  });

  test('performs the action after the passkey answers', async () => {
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await ada.device.setPresent(true);
    await stage.age();
    await dialog().getByRole('button', { name: 'Revoke codes' }).click();
    await ada.page.getByText('Your recovery codes were revoked').waitFor();
    await expect.poll(() => dialog().count()).toBe(0);
  });

  test('stays open for a later request when a canceled step-up completes', async () => {
    await stage.age();
    const question = ada.dialog('Confirm it’s you');
    let pass = async () => {};
    const held = new Promise<void>((resolve) => {
      const hold = (route: Route) => {
        pass = () => route.continue();
        resolve();
      };
      void ada.page.route('**/auth/passkey/stepup/verify', hold, { times: 1 });
    });
    await ada.button('Add passkey').click();
    await question.getByRole('button', { name: 'Use your passkey' }).click();
    await held;
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await ada.button('Add passkey').click();
    await question.waitFor();
    const answered = ada.page.waitForResponse('**/auth/session?optional');
    await pass();
    await (await answered).finished();
    await ada.page.evaluate(`fetch('/auth/session?optional').then((answer) => answer.json())`);
    expect(await question.count()).toBe(1);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
  });

  test('is hidden while a user without a passkey confirms with the password', async () => {
    await ada.button('Create recovery codes').click();
    await ada.page.getByLabel('I have saved my codes').check();
    await ada.button('Done').click();
    await ada.button('Set password').click();
    const field = ada.page.getByRole('region', { name: 'Password' }).getByRole('textbox');
    await field.fill(password);
    await ada.button('Set password').click();
    await ada.heading('You have a password').waitFor();
    await stage.database.sql`delete from latchkey.passkeys`;
    await ada.reload();
    await stage.age();
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    await dialog().getByRole('button', { name: 'Revoke codes' }).click();
    const question = ada.dialog('Confirm it’s you');
    await question.getByLabel('Password', { exact: true }).fill(password);
    const opacity = `getComputedStyle(document.querySelector('dialog:not(.dialog--front)')).opacity`;
    expect(await ada.page.evaluate(opacity)).toBe('0');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await ada.page.getByText('Your recovery codes were revoked').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
