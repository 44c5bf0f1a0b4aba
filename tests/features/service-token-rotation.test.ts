import Koa from 'koa';
import { createWellKnownRouter } from 'latchkey';
import { verifyServiceToken } from 'latchkey/service-token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/example-server.ts';
import { type Person, signUp } from '../support/person.ts';
import { randomBytesOf } from '../support/random.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { serviceSigningKeyOf } from '../support/service-signing-key.ts';
import { origin, secret, startTestService, type TestService } from '../support/test-service.ts';

const randomBytes = randomBytesOf('features/service-token-rotation');

const newer = randomBytes(32).toString('base64url');

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService();
  person = await signUp(service);
});
afterAll(() => service.close());

/** Runs `act` with an instance of the service that uses these secrets and publishes its public keys. */
async function withSecrets<Result>(
  secrets: string[],
  act: (issueToken: () => Promise<string>, keys: ServedApp & { jwks: string }) => Promise<Result>,
): Promise<Result> {
  const instance = await startSecondInstance(service, { secret: secrets });
  const app = new Koa();
  app.use(createWellKnownRouter(instance.auth).routes());
  const served = await serve(app);
  const issueToken = async () =>
    (await instance.browser(person.browser.cookies).post('/auth/session/token')).body.token;
  try {
    return await act(issueToken, { ...served, jwks: `${served.url}/.well-known/jwks.json` });
  } finally {
    await served.close();
    await instance.close();
  }
}

const verify = (token: string, jwks: string) =>
  verifyServiceToken(token, { issuer: origin, audience: 'localhost', jwks });

test('the service publishes the public keys of all secrets, in the order of the secrets', async () => {
  for (const secrets of [[secret], [newer, secret], [secret, newer], [newer, secret, newer]]) {
    await withSecrets(secrets, async (_, { url }) => {
      const answer = await fetch(`${url}/.well-known/jwks.json`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
      expect(await answer.json()).toEqual({
        keys: [...new Set(secrets)].map((listed) => {
          const { x, kid } = serviceSigningKeyOf(listed);
          return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
        }),
      });
    });
  }
});

test('the service signs tokens with the first secret', async () => {
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
  await withSecrets([newer, secret], async (issueToken) => {
    expect(kidOf(await issueToken())).toBe(serviceSigningKeyOf(newer).kid);
  });
  await withSecrets([secret, newer], async (issueToken) => {
    expect(kidOf(await issueToken())).toBe(serviceSigningKeyOf(secret).kid);
  });
});

test('a verifier accepts a token only while the service still has the secret that signed this token', async () => {
  const old = await withSecrets([secret], (issueToken) => issueToken());
  await withSecrets([newer, secret], async (issueToken, { jwks }) => {
    expect((await verify(old, jwks)).userId).toBe(person.signedUp.body.user.id);
    await verify(await issueToken(), jwks);
  });
  await withSecrets([newer], async (issueToken, { jwks }) => {
    await expect(verify(old, jwks)).rejects.toMatchObject({ code: 'token_invalid' });
    await verify(await issueToken(), jwks);
  });
});

test('the service publishes the public key of the last secret, although the first secret signs the tokens', async () => {
  const next = await withSecrets([newer, secret], (issueToken) => issueToken());
  await withSecrets([secret, newer], (_, { jwks }) => verify(next, jwks));
});

test('verifiers fetch the keys from the issuer’s well-known URL by default', async () => {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const instance = await startSecondInstance(service, { origins: issuer, tokenAudiences: 'orders' });
  const app = new Koa();
  app.use(createWellKnownRouter(instance.auth).routes());
  const server = app.listen(port, 'localhost');
  try {
    const agent = instance.browser(person.browser.cookies);
    const { token } = (await agent.post('/auth/session/token', undefined, { Origin: issuer })).body;
    const claims = await verifyServiceToken(token, { issuer, audience: 'orders' });
    expect(claims).toMatchObject({ issuer, audience: 'orders', userId: person.signedUp.body.user.id });
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await instance.close();
  }
});
