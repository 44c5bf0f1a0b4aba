import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, webAuthnOf } from './support/chromium.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user whose browser prefers German', () => {
  let stage: Stage;
  let page: Page;
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const language = () => page.evaluate<string>('document.documentElement.lang');

  beforeAll(async () => {
    stage = await setStage();
    page = await stage.open(await stage.newContext({ locale: 'de-AT' }));
  });
  afterAll(() => stage?.close());

  test('sees German pages, which fit screens of every width', async () => {
    await page.goto(`${stage.origin}/signin/password`);
    await heading('Mit deinem Passwort anmelden').waitFor();
    expect(await language()).toBe('de');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('Gib deinen Benutzernamen ein.').waitFor();
    await photograph(page, 'password-sign-in-german');
    await page.goto(`${stage.origin}/recover`);
    await page.getByRole('heading', { name: /Dein Konto wiederherstellen.*Schritt 1 von 4/ }).waitFor();
    await photograph(page, 'recovery-german');
  });

  test('sees in German that a sign-in failed', async () => {
    await page.goto(`${stage.origin}/signin/password`);
    await page.getByLabel('Benutzername').fill('ada');
    await page.getByLabel('Passwort', { exact: true }).fill('a password that is wrong');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('alert').getByText('Die Anmeldung hat nicht geklappt').waitFor();
  });

  test('gets the language, the text direction and a preload of the messages before the first paint', async () => {
    await page.route('**/assets/app.js', (route) => route.abort());
    await page.goto(`${stage.origin}/signin/password`);
    expect(await language()).toBe('de');
    expect(await page.evaluate('document.documentElement.dir')).toBe('ltr');
    expect(await page.locator('link[rel=modulepreload][href*="/visitor-de-"]').count()).toBe(1);
    await page.unroute('**/assets/app.js');
  });

  test('sees English if the German messages cannot be loaded', async () => {
    await page.route('**/assets/visitor-de-*', (route) => route.abort());
    await page.goto(`${stage.origin}/signin/password`);
    await heading('Sign in with your password').waitFor();
    expect(await language()).toBe('en');
    await page.unroute('**/assets/visitor-de-*');
  });

  test('keeps the language that was chosen in this browser', async () => {
    await page.evaluate(`localStorage.setItem('language', 'en')`);
    await page.reload();
    await heading('Sign in with your password').waitFor();
    expect(await page.locator('link[href*="/visitor-de-"]').count()).toBe(0);
    await page.evaluate(`localStorage.removeItem('language')`);
    await page.reload();
    await heading('Mit deinem Passwort anmelden').waitFor();
  });

  test('signs up, and sees dates in the Austrian format', async () => {
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(`${stage.origin}/signup`);
    await settled(page);
    await page.locator('input[name=username]').fill('ada');
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${stage.origin}/`);
    await page.goto(`${stage.origin}/settings/security`);
    await settled(page);
    const title = await page.locator('time').first().getAttribute('title');
    expect(title).toMatch(/^(?:\p{L}+tag|Mittwoch), \d+\. \p{L}+ \d{4} (um|,) \d\d:\d\d$/u);
  });

  test('chooses English and German in the account menu, and keeps the typed text, the page and the choice', async () => {
    await page.goto(`${stage.origin}/settings/profile`);
    await settled(page);
    const name = page.locator('input[name=name]');
    await name.fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Kontomenü von ada' }).click();
    await page.getByLabel('Sprache').selectOption('en');
    await heading('Profile').waitFor();
    expect([await language(), await name.inputValue()]).toEqual(['en', 'Ada Lovelace']);
    await page.getByLabel('Language').selectOption('de');
    await heading('Profil').waitFor();
    expect([await language(), await name.inputValue()]).toEqual(['de', 'Ada Lovelace']);
    expect(new URL(page.url()).pathname).toBe('/settings/profile');
    await page.getByLabel('Sprache').selectOption('en');
    await heading('Profile').waitFor();
    await page.reload();
    await heading('Profile').waitFor();
    expect(await language()).toBe('en');
    await page.evaluate(`localStorage.removeItem('language')`);
  });

  test('gets the document in German, even without JavaScript', async () => {
    const response = await page.goto(`${stage.origin}/signin`);
    const html = await response?.text();
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('JavaScript ist ausgeschaltet');
    expect(html).not.toContain('JavaScript is turned off');
  });

  test('sees the days and times of the figures in German', async () => {
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'ada'`;
    await page.goto(`${stage.origin}/admin/overview`);
    await page.getByRole('radio', { name: '7 Tage' }).check();
    await photograph(page, 'overview-german');
    const [ada] = await stage.database.sql`
      with refusal as (
        insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_id, details)
        select gen_random_uuid(), now(), 'password.login', 'failure', 'anonymous', 'user', id,
          '{"reason": "no_password"}'
        from latchkey.users
      )
      select id from latchkey.users`;
    await page.goto(`${stage.origin}/admin/users/${ada?.id}`);
    await page.getByText(/\(\d\d:\d\d Uhr\)/).waitFor();
  });
});
