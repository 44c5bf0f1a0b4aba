import { existsSync } from 'node:fs';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import pg from 'pg';
import { expect } from 'vitest';
import { origin } from '../../support/test-service.ts';

/** The dependencies of bench/ are optional. */
const installed = new URL('../../../bench/node_modules/', import.meta.url);
const entries = {
  betterAuth: new URL('better-auth/dist/index.mjs', installed),
  migration: new URL('better-auth/dist/db/get-migration.mjs', installed),
  passkey: new URL('@better-auth/passkey/dist/index.mjs', installed),
};

/** Returns whether Better Auth is installed. With CI=true, throws if it is not. */
export function findBetterAuth(): boolean {
  if (Object.values(entries).every((url) => existsSync(url))) return true;
  if (process.env.CI === 'true') throw new Error('CI needs Better Auth: npm ci --prefix bench');
  process.stdout.write(
    'skipped: the move from Better Auth, because Better Auth is not installed (npm ci --prefix bench)\n',
  );
  return false;
}

/** Creates the tables with Better Auth, and signs up a user with a password and a passkey over its HTTP API. */
export async function useBetterAuth(
  url: string,
  user: { email: string; password: string; name: string; authenticator: SoftwareAuthenticator },
): Promise<void> {
  const { betterAuth } = await import(entries.betterAuth.href);
  const { getMigrations } = await import(entries.migration.href);
  const { passkey } = await import(entries.passkey.href);
  const pool = new pg.Pool({ connectionString: url });
  const options = {
    baseURL: origin,
    secret: 'a secret only for this test, with enough characters',
    database: pool,
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    plugins: [passkey({ rpID: new URL(origin).hostname, rpName: 'The other system', origin })],
  };
  await (await getMigrations(options)).runMigrations();
  const auth = betterAuth(options);

  const cookies = new Map<string, string>();
  // biome-ignore lint/suspicious/noExplicitAny: each path answers with another shape
  const send = async (path: string, body?: object): Promise<any> => {
    const response: Response = await auth.handler(
      new Request(`${origin}/api/auth${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          Origin: origin,
          Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };

  const { email, password, name, authenticator } = user;
  await send('/sign-up/email', { email, password, name });
  const creation = await send('/passkey/generate-register-options');
  await send('/passkey/verify-registration', { response: await authenticator.create(creation) });
  await pool.end();
}
