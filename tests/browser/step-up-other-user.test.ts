import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

story('a dialog, if the user changes in another tab', () => {
  let stage: Stage;
  let ada: Person;
  const sessions: Record<string, Cookies> = {};

  const countCodes = async () => (await stage.database.sql`select 1 from latchkey.recovery_codes`).length;
  /** Signs up on the same device, so that the authenticator has the passkeys of both users. */
  const signUpWithCodes = async (username: string) => {
    await ada.page.context().clearCookies();
    await signUp({ ...ada, username });
    await ada.goTo('/settings/security');
    await ada.button('Create recovery codes').click();
    await ada.page.getByLabel('I have saved my codes').check();
    await ada.button('Done').click();
    await ada.page.getByText('10 of 10 codes left').waitFor();
    sessions[username] = await ada.page.context().cookies();
  };

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUpWithCodes('bob');
    await signUpWithCodes('ada');
  });
  afterAll(() => stage?.close());

  test('does not run its action when the next user confirms', async () => {
    await stage.age();
    await choose(ada.page, 'Actions for the recovery codes', 'Revoke');
    const dialog = ada.dialog('Revoke your recovery codes?');
    await dialog.waitFor();
    // All tabs share the cookies.
    await ada.page.context().addCookies(sessions.bob ?? []);
    const confirmed = ada.page.waitForResponse('**/auth/passkey/stepup/verify');
    await dialog.getByRole('button', { name: 'Revoke codes' }).click();
    expect((await confirmed).status()).toBe(200);
    await ada.button(/^Account menu of bob/).waitFor();
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
    expect(await countCodes()).toBe(20);
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
