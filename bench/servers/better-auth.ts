import type { IncomingMessage, ServerResponse } from 'node:http';
import { passkey } from '@better-auth/passkey';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import pg from 'pg';
import { origin, rpId } from '../throughput/identity.ts';
import { serve } from './serve.ts';

// Better Auth with its passkey plugin, as documented. It has three configurations: the default, with the session cached
// in a cookie, and with joins. All other settings are the fastest choice.
const [configuration] = process.argv.slice(2);

const options = {
  baseURL: origin,
  secret: process.env.BETTER_AUTH_SECRET ?? '',
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL }),
  emailAndPassword: { enabled: true },
  user: { additionalFields: { role: { type: 'string', input: false, defaultValue: 'user' } } },
  // A day instead of five minutes, so that the cookie does not expire during a run.
  session: { cookieCache: { enabled: configuration === 'cookie-cache', maxAge: 24 * 60 * 60 } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  experimental: { instrumentation: { enabled: false } },
  logger: { level: 'error' },
  advanced: { database: { joins: configuration === 'joins' } },
  plugins: [
    passkey({
      rpID: rpId,
      rpName: 'Bench',
      origin,
      registration: {
        requireSession: false,
        resolveUser: ({ context }) => ({ id: `${context}`, name: `${context}` }),
        afterVerification: async ({ ctx, user }) => {
          const created = await ctx.context.internalAdapter.createUser(
            {
              name: user.name,
              email: `${user.name}@${rpId}`,
              emailVerified: false,
            },
            { method: 'passkey' },
          );
          return { userId: created.id };
        },
      },
    }),
  ],
} satisfies BetterAuthOptions;

if (configuration === 'prepare') {
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  process.exit(0);
}

const auth = betterAuth(options);
const handleAuth = toNodeHandler(auth);
serve(async (request, response) => {
  if (request.url?.startsWith('/api/auth/')) await handleAuth(request, response);
  else await answerWhoMay(request, response);
});

/** A route of the application. It reads the session in the process instead of over HTTP. */
async function answerWhoMay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const needsRole = request.url === '/admin';
  const found = await auth.api.getSession({
    headers: fromNodeHeaders(request.headers),
    // A role cached in the cookie could be outdated.
    query: { disableCookieCache: needsRole },
  });
  if (!found) answer(response, 401, { error: 'not signed in' });
  else if (needsRole && found.user.role !== 'admin') answer(response, 403, { error: 'not for you' });
  else answer(response, 200, { user: found.user });
}

function answer(response: ServerResponse, status: number, content: object): void {
  const body = JSON.stringify(content);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
