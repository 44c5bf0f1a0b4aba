import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import bcrypt from 'bcrypt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasBrowser, openInBrowser } from './support/browser-page.ts';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/passwords.md');
const password = 'a long fallback password';
const breached = 'an old password from a breach';
usePages();
let service: PastedService;
let ranges: Server;
beforeAll(async () => {
  ranges = createServer((_, response) => {
    const digest = createHash('sha1').update(breached).digest('hex').toUpperCase();
    response.end(`${digest.slice(5)}:17\r\n`);
  });
  await new Promise<void>((done) => ranges.listen(0, '127.0.0.1', done));
  const { port } = ranges.address() as AddressInfo;
  const code = guide.block('passwordMinLength');
  service = await startPasted({
    'auth.ts': code.replace('https://api.pwnedpasswords.com', `http://127.0.0.1:${port}`),
  });
});
afterAll(async () => {
  await service.close();
  await new Promise((done) => ranges.close(done));
});

test('a user sets a password, signs in with it and removes it', async () => {
  const page = openPage(service);
  const auth = page.createAuthClient();
  await auth.signUp({ username: 'ada' });
  await runStatements(guide.block('auth.password.set'), { auth });
  await auth.signOut();
  await runStatements(guide.block('const { user } = await auth.signIn'), { auth, password });
  expect((await page.browser.delete('/auth/password/remove')).body.code).toBe('passkey_required');
  await runStatements(guide.block('auth.password.remove'), { auth });
  expect((await auth.session())?.user.hasPassword).toBe(false);
  await expect(auth.signInWithPassword({ username: 'ada', password })).rejects.toMatchObject({
    code: 'authentication_failed',
  });
});

test('with the stricter rules, short and breached passwords are rejected', async () => {
  const auth = openPage(service).createAuthClient();
  await auth.signUp({ username: 'ben' });
  for (const refused of ['fourteen chars', breached])
    await expect(auth.password.set(refused)).rejects.toMatchObject({ code: 'password_unacceptable' });
  await auth.password.set('fifteen charact');
});

test.skipIf(!hasBrowser)(
  'the form of the guide shows an error after a wrong password, and signs in with the right one',
  async () => {
    const code =
      "import { createAuthService } from 'latchkey';\nexport const auth = await createAuthService();";
    const { service: own, page } = await openInBrowser(
      code,
      guide.block('<form id="password-form">'),
      guide.block('passkeyUpgrade: false'),
    );
    const user = { username: 'cleo', password: { hash: await bcrypt.hash(password, 4) } };
    await own.auth.asOperator('ops').users.import([user]);
    const signIn = async (given: string) => {
      await page.getByLabel('Username').fill('cleo');
      await page.getByLabel('Password').fill(given);
      await page.getByRole('button', { name: 'Sign in with a password' }).click();
    };
    await signIn('a wrong password');
    await page.getByRole('alert').getByText('Authentication failed.').waitFor();
    const reloaded = page.waitForEvent('load');
    await signIn(password);
    await reloaded;
    const session = await page.evaluate<{ user: object }>(
      "fetch('/auth/session').then((response) => response.json())",
    );
    expect(session.user).toMatchObject({ username: 'cleo' });
  },
);
