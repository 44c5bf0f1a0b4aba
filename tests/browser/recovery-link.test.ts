import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const delaySeconds = 600;
const pollMs = 30_000;

story('a user who gets a recovery link from an admin', () => {
  let stage: Stage;
  let root: Person;
  let ada: Person;
  let helper: Page;
  let otherWindow: Page;
  let link: string;

  const banner = (page: Page) => page.getByRole('region', { name: 'Recovery link' });
  const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel recovery link' });
  /** Simulates that the user returns to the tab. */
  const comeBackTo = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  const makeLink = async ({ confirms = false } = {}) => {
    if (confirms) {
      // The test does not wait for the content of the page, because the page first asks for the passkey.
      await root.page.goto(`${stage.origin}/admin/users`);
      await root.button('Use your passkey').click();
    } else {
      await root.goTo('/admin/users');
    }
    await choose(root.page, 'Actions for ada', 'Create recovery link');
    await root.page.getByText('ada sees a notice in every session').waitFor();
    await root.button('Create recovery link').click();
    await root.dialog(/^Recovery link for ada$/).waitFor();
    return root.page.locator('.copy-line input[readonly]').inputValue();
  };
  const endWait = () => stage.database.sql`
      update latchkey.recovery_links set usable_at = now() - interval '1 second'`;

  beforeAll(async () => {
    stage = await setStage({ env: { ASSISTED_RECOVERY_DELAY: `${delaySeconds}` } });
    root = await createPerson(stage, 'root-of-all');
    ada = await createPerson(stage, 'ada');
    await signUp(root);
    await signUp(ada);
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'root-of-all'`;
    helper = await stage.open(await stage.newContext());
    otherWindow = await stage.open(ada.page.context());
    await otherWindow.goto(`${stage.origin}/files`);
    await otherWindow.getByRole('heading', { name: 'Files', exact: true }).waitFor();
  });
  afterAll(() => stage?.close());

  test('sees no banner before the link exists', async () => {
    expect(await cancel(ada.page).count()).toBe(0);
    await photograph(ada.page, 'recovery-link-none');
  });

  test('sees the banner on the next page, without a reload, and keeps the focus', async () => {
    link = await makeLink();
    await root.page.getByText('not to open it before then').waitFor();
    await photograph(root.page, 'recovery-link-waiting');
    await root.button('Done').click();
    await ada.follow('Security');
    await banner(ada.page)
      .getByText(/^root-of-all created a recovery link for your account (at|on) .+ The link works from /)
      .waitFor();
    await photograph(ada.page, 'recovery-link-banner');
    expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('Security');
  });

  test('sees the banner in another window when the other window becomes visible', async () => {
    expect(await cancel(otherWindow).count()).toBe(0);
    await comeBackTo(otherWindow);
    await cancel(otherWindow).waitFor();
  });

  test('sees when a delayed link starts to work, and does not use it up by opening it too early', async () => {
    await helper.goto(link);
    await helper.getByRole('button', { name: 'Continue' }).click();
    await helper.getByText(/^This link works from /).waitFor();
    await helper.getByText('You can close this page').waitFor();
    await photograph(helper, 'recover-link-waiting');
  });

  test('sees that the link is being used', async () => {
    await endWait();
    await helper.getByRole('button', { name: 'Continue' }).click();
    await helper.getByRole('heading', { name: 'Which of these do you still have?' }).waitFor();
    await ada.follow('Home');
    await banner(ada.page).getByText('is being used right now').waitFor();
    await photograph(ada.page, 'recovery-link-used');
  });

  test('authenticates and cancels the link', async () => {
    await stage.age();
    await cancel(ada.page).click();
    await ada.dialog('Confirm it’s you').getByRole('button', { name: 'Cancel' }).click();
    await ada.page.getByText('The recovery link still works').waitFor();
    await cancel(ada.page).click();
    await ada.button('Use your passkey').click();
    await banner(ada.page).getByText('The recovery link was canceled').waitFor();
    await expect
      .poll(() => ada.page.evaluate('document.activeElement.textContent'))
      .toBe('The recovery link was canceled and no longer works.');
    await photograph(ada.page, 'recovery-link-canceled');
    await ada.page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => banner(ada.page).count()).toBe(0);
  });

  test('no longer sees the banner in the other window', async () => {
    await comeBackTo(otherWindow);
    await expect.poll(() => cancel(otherWindow).count()).toBe(0);
  });

  test('ends the recovery session of the link by canceling the link', async () => {
    await helper.getByRole('button', { name: 'Continue' }).click();
    await helper.reload();
    await helper.getByRole('heading', { name: 'Recover your account' }).waitFor();
    await helper.goto(`${stage.origin}/signin`);
    await helper.goto(link);
    await helper.getByRole('button', { name: 'Continue' }).click();
    await helper.getByText('This link no longer works').waitFor();
  });

  test('sees the banner on an open page within 30 seconds, and a hidden tab sends no requests', async () => {
    const page = await stage.open(ada.page.context());
    await page.clock.install();
    await page.goto(`${stage.origin}/files`);
    await page.getByRole('heading', { name: 'Files', exact: true }).waitFor();
    await makeLink({ confirms: true });

    let reads = 0;
    page.on('request', (request) => {
      if (request.url() === `${stage.origin}/auth/session?optional`) reads += 1;
    });
    await page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: 'hidden', writable: true })`,
    );
    await comeBackTo(page);
    await page.clock.fastForward(10 * pollMs);
    expect(reads).toBe(0);
    expect(await cancel(page).count()).toBe(0);

    await page.evaluate(`document.visibilityState = 'visible'`);
    await comeBackTo(page);
    await cancel(page).waitFor();
    expect(reads).toBe(1);
    await ada.follow('Files');
    await cancel(ada.page).click();
    await ada.page.getByText('The recovery link was canceled').waitFor();
    await page.clock.runFor(pollMs);
    await expect.poll(() => cancel(page).count()).toBe(0);
    expect(reads).toBe(2);

    // Requests keep a session alive, so a tab pauses after five minutes without input. The timer that is already
    // running still sends one request.
    const answer = page.waitForResponse(`${stage.origin}/auth/session?optional`);
    await page.clock.fastForward(6 * 60_000);
    await (await answer).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
    await page.clock.fastForward(10 * pollMs);
    expect(reads).toBe(3);
    await page.keyboard.press('Shift');
    await expect.poll(() => reads).toBe(4);
    await page.close();
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
