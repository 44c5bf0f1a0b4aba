import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { logIn, newAuthenticator, signUp } from '../support/person.ts';
import { origin } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, statementsOf, usePages } from './support/page.ts';
import { startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/native-apps.md');
usePages();

async function start(text: string, env = {}) {
  const service = await startPasted({ 'app.ts': guide.block(text) }, env);
  onTestFinished(() => service.close());
  return service;
}

test('the Android app of the guide can use its passkeys, and another app cannot', async () => {
  const service = await start('// app.ts', { BCRYPT_COST: '10' });
  const agent = () => createAgent(service.url, 'https://example.com');
  const links = (await agent().get('/.well-known/assetlinks.json')).body;
  const [fingerprint = ''] = links[0].target.sha256_cert_fingerprints;
  const originOf = (print: string) =>
    `android:apk-key-hash:${Buffer.from(print.replaceAll(':', ''), 'hex').toString('base64url')}`;
  const authenticator = newAuthenticator({ origin: originOf(fingerprint) });
  await signUp(service, { browser: agent(), authenticator });
  expect((await logIn(agent(), authenticator)).status).toBe(200);
  const other = newAuthenticator({ origin: originOf(fingerprint.replace('14:', '15:')) });
  await expect(signUp(service, { browser: agent(), authenticator: other })).rejects.toThrow();
  expect((await agent().get('/.well-known/apple-app-site-association')).status).toBe(200);
});

test('the client in the guide signs up without cookies, and sends its token to a route of the app', async () => {
  const service = await start('sessionIdleTimeoutSeconds: 30');
  const page = openPage(service);
  const send = async (url: string, { headers }: { headers: Record<string, string> }) =>
    createAgent(service.url, origin).get(new URL(url).pathname.replace('/orders', '/auth/session'), headers);
  const code = `${statementsOf(guide.block('tokenStore: {'))}\nreturn response;`;
  const answer = (await runStatements(code, { ...page, fetch: send })) as Awaited<ReturnType<typeof send>>;
  expect(answer.body.user.username).toBe('ada');
  expect(page.browser.cookies.size).toBe(0);

  // The idle timeouts of the functions in the guide: 30 days in the app, and an hour in a browser.
  const days = (expiresAt: string) => Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
  expect(days(answer.body.session.expiresAt)).toBe(30);
  const { signedUp } = await signUp(service);
  expect(days(signedUp.body.session.expiresAt)).toBe(0);
});
