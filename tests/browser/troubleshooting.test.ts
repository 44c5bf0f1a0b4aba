import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { inChromium } from './support/story.ts';

const password = 'eight ships in a bottle';

inChromium('if passkeys cannot work,', () => {
  let stage: Stage;

  const openPage = async () => stage.open(await stage.newContext());
  const openWithoutPasskeys = async () => {
    const page = await openPage();
    await page.addInitScript('delete window.PublicKeyCredential');
    return page;
  };
  /** Returns the server's URL with another host. */
  const at = (host: string, path: string) => `http://${host}:${new URL(stage.origin).port}${path}`;

  beforeAll(async () => {
    stage = await setStage({ flags: ['--host-resolver-rules=MAP example.test 127.0.0.1'] });
  });
  afterAll(() => stage?.close());

  test('a browser without passkeys immediately shows a notice with a link to browsers that support passkeys', async () => {
    const page = await openWithoutPasskeys();
    await page.goto(`${stage.origin}/signup`);
    await page.getByText('This browser doesn’t support passkeys').waitFor();
    await page.getByRole('link', { name: 'See which browsers and devices support passkeys' }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await photograph(page, 'obstacle-sign-up');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Use your password' }).waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await photograph(page, 'obstacle-sign-in');
    await page.close();
  });

  test('a user with a password can sign in, and sees why the browser can neither add nor use a passkey', async () => {
    const ada = await createPerson(stage, 'ada');
    await signUp(ada);
    await ada.follow('Security');
    await ada.button('Set password').click();
    await ada.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await ada.button('Set password').click();
    await ada.heading('You have a password').waitFor();
    await ada.page.context().close();

    const page = await openWithoutPasskeys();
    await page.goto(`${stage.origin}/settings/security`);
    await page.getByRole('link', { name: 'Use your password' }).click();
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Security' }).waitFor();
    await page.getByText('This browser doesn’t support passkeys').waitFor();
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem').waitFor();
    await settled(page);
    await photograph(page, 'obstacle-security');
    await stage.age();
    await page.getByRole('button', { name: 'Create recovery codes' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByText('This action needs your passkey').waitFor();
    await question.getByText('This browser doesn’t support passkeys').waitFor();
    expect(await question.getByRole('button', { name: 'Use your passkey' }).count()).toBe(0);
    await photograph(page, 'obstacle-step-up');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.close();
  });

  test('a page without https shows a notice with a link to the configured origin', async () => {
    // This is Chromium's own message about a page without https.
    stage.complaints.expect(/Cross-Origin-Opener-Policy header has been ignored/);
    const page = await openPage();
    await page.goto(at('example.test', '/settings/security?a=b'));
    await page.getByRole('heading', { name: 'This connection isn’t secure' }).waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(false);
    const way = page.getByRole('link', { name: `Go to ${new URL(stage.origin).host}` });
    expect(await way.getAttribute('href')).toBe(`${stage.origin}/settings/security?a=b`);
    await photograph(page, 'obstacle-insecure');
    await page.close();
  });

  test('a page at an unknown host shows a notice with a link to the configured origin', async () => {
    const page = await openPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(at('elsewhere.localhost', '/signin?to=%2Ffiles#token=of-somebody'));
    await page.getByRole('heading', { name: 'You can’t sign in at this URL' }).waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(true);
    await photograph(page, 'obstacle-wrong-host');
    // The page sends no requests, because the service would reject them.
    expect(requests.filter((path) => path.startsWith('/auth'))).toEqual([]);
    await page.getByRole('link', { name: `Go to ${new URL(stage.origin).host}` }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${stage.origin}/signin?to=%2Ffiles#token=of-somebody`);
    await page.close();
  });

  test('a page without JavaScript explains that JavaScript is turned off', async () => {
    const page = await openPage();
    const cdp = await page.context().newCDPSession(page);
    const switchOff = (value: boolean) => cdp.send('Emulation.setScriptExecutionDisabled', { value });
    await switchOff(true);
    await page.goto(`${stage.origin}/signin`);
    await page.getByRole('heading', { name: 'JavaScript is turned off' }).waitFor();
    // Turns on JavaScript, because axe needs it, and moves the content out of <noscript>, because axe ignores that
    // element. The page's own scripts still do not run, because they were skipped when the page loaded.
    await switchOff(false);
    await page.evaluate(`{
      const words = document.querySelector('noscript');
      words.replaceWith(...words.childNodes);
    }`);
    await photograph(page, 'obstacle-no-script');
    await page.getByRole('button', { name: 'Reload this page' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await page.close();
  });

  test('the pages cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
