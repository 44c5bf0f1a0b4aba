// An application in TypeScript that uses the server's entries. A test compiles the application and does not run it.
// If a type becomes `any`, an expected error is missing, so the compilation fails.
import { createServer } from 'node:http';
import { Router } from '@koa/router';
import Koa from 'koa';
import {
  AuthError,
  type AuthService,
  type CapabilityTable,
  createAuthRouter,
  createAuthService,
  createWellKnownRouter,
  type ErrorCode,
  type GuardedState,
  type OptionalSessionState,
  optionalSession,
  type Principal,
  type ReadSession,
  requireFresh,
  requirePermission,
  requireRole,
  requireSession,
  type Session,
} from 'latchkey';
import { type EmbeddedPostgres, startEmbeddedPostgres } from 'latchkey/embedded';
import { type ServiceTokenClaims, ServiceTokenError, verifyServiceToken } from 'latchkey/service-token';
import { createInMemoryDatabase, createSoftwareAuthenticator, flipLastBit } from 'latchkey/testing';

const table = { user: { 'report:read': 'joined' } } as const satisfies CapabilityTable<'report:read'>;
const embedded: EmbeddedPostgres = await startEmbeddedPostgres({ directory: '.latchkey' });
export const plain: AuthService = await createAuthService({ database: embedded.url, migrate: true });
export const auth = await createAuthService({ database: createInMemoryDatabase(), capabilities: table });
// @ts-expect-error no such option
await createAuthService({ databse: embedded.url });

const router = new Router<GuardedState>();
router.get('/session', requireSession(auth), (ctx) => {
  const session: Session = ctx.state.auth.session;
  // @ts-expect-error no such member
  ctx.body = [session.id, ctx.state.auth.user.nickname];
});
router.put(
  '/reports/:id',
  requirePermission(auth, 'report:read', async (ctx) => ({ organizationId: ctx.params.id })),
  (ctx) => {
    ctx.body = ctx.state.auth.user.username;
  },
);
// @ts-expect-error no capability of this service
requirePermission(auth, 'report:write');
// @ts-expect-error no role
requireRole(auth, 'root');

export const app = new Koa<GuardedState>();
app.use(createWellKnownRouter(auth).routes());
app.use(createAuthRouter(auth, { prefix: '/accounts' }).routes());
app.use(requireFresh(auth));
app.use(requireRole(auth, 'admin'));
app.use(router.routes());
app.use((ctx) => {
  // @ts-expect-error no such member
  ctx.body = ctx.state.auth.nothing;
});

const greeting = new Router<OptionalSessionState>();
greeting.get('/', optionalSession(auth), (ctx) => {
  // @ts-expect-error ctx.state.auth may be undefined
  ctx.body = ctx.state.auth.user.username;
  ctx.body = ctx.state.auth?.user.username;
});
createServer(async (request, response) => {
  const read: ReadSession | null = await auth.sessionOf(request);
  response.end(read?.user.username);
}).on('upgrade', (request) => auth.sessionOf(request.headers, { allowRecovery: true }));
await auth.sessionOf(new Request('http://localhost'));
await auth.sessionOf(new Headers({ cookie: `${auth.config.sessionCookieName}=token` }));
// @ts-expect-error a token is not a session source
await auth.sessionOf('token');

const principal: Required<Principal> | null = await auth.principalOf('id');
export const may: boolean = principal !== null && auth.can(principal, 'report:read');
export const link: string = (await auth.asOperator('desk').users.createRecoveryLink('ada')).url;
export const codeOf = (error: unknown): ErrorCode | null => (error instanceof AuthError ? error.code : null);
// @ts-expect-error no such code
export const unknownCode: ErrorCode = 'no_such_code';

const authenticator = createSoftwareAuthenticator({ origin: 'http://localhost:3000', algorithm: 'EdDSA' });
const options = { challenge: 'AA', rpId: 'localhost' };
const forgery = await authenticator.get(options, { afterSigning: { signature: flipLastBit } });
export const signature: string = forgery.response.signature;
// @ts-expect-error a number
export const signatureAsNumber: number = forgery.response.signature;

const verifying = { issuer: 'https://example.com', audience: 'orders' };
export const claims: ServiceTokenClaims = await verifyServiceToken('token', verifying);
export const reasonOf = (error: unknown) => (error instanceof ServiceTokenError ? error.code : null);
// @ts-expect-error without an audience
await verifyServiceToken('token', { issuer: 'https://example.com' });
// @ts-expect-error no such role
export const isRoot = claims.role === 'root';
