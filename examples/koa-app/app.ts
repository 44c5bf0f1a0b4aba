import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  AuthError,
  createAuthRouter,
  type GuardedState,
  type GuardOptions,
  requireFresh,
  requirePermission,
} from 'latchkey';
import type { Sql } from 'postgres';
import { type Auth, type Document, type DocumentCapability, documentsIn } from './documents.ts';
import { setSecurityHeaders, showErrors } from './html.ts';
import { documentPage, membersPage, organizationPage } from './organization-pages.ts';
import { homePage, joinPage, signInPage, visitorOf } from './pages.ts';

/** The files of the pages. They load the browser client from `createAuthRouter`. */
const files: [path: string, type: string, source: URL][] = [
  ['/browser.js', 'js', new URL('./browser.js', import.meta.url)],
  ['/style.css', 'css', new URL('./style.css', import.meta.url)],
];

/** The members of an organization write documents. The guard of each route decides who can use the route. */
export function createApp(auth: Auth, sql: Sql): Koa {
  const documents = documentsIn(sql);
  const router = new Router<GuardedState<Auth> & { document: Document }>();
  const parseForm = bodyParser({ enableTypes: ['form'], formLimit: '256kb' });

  // The guards also reject a form that a page of another site sends (CSRF). So the forms need no token.
  const inOrganization = (
    capability: DocumentCapability | 'organization:members:read',
    ...options: GuardOptions[]
  ) => requirePermission(auth, capability, (ctx) => ({ organizationId: `${ctx.params.id}` }), ...options);
  // The guard reads `ownerId` and `organizationId` of the document. Users who are not members get 404.
  const onDocument = (capability: DocumentCapability, ...options: GuardOptions[]) =>
    requirePermission(
      auth,
      capability,
      async (ctx) => {
        const found = await documents.find(`${ctx.params.id}`);
        Object.assign(ctx.state, { document: found });
        return found;
      },
      ...options,
    );
  // An impersonator can read, but cannot change anything.
  const onlyUser = { impersonated: false };

  /** The user and the organization of a page. The membership can have ended since the guard read it. */
  async function memberOf(ctx: Context, organizationId: string) {
    const visitor = await visitorOf(auth, ctx.req);
    const organization = visitor?.organizations.find(({ id }) => id === organizationId);
    if (!visitor || !organization) throw new AuthError('not_found');
    return { visitor, organization };
  }

  router.get('/', async (ctx) => {
    const visitor = await visitorOf(auth, ctx.req);
    ctx.body = visitor ? homePage(visitor) : signInPage();
  });
  router.get('/join', async (ctx) => {
    ctx.body = joinPage(await visitorOf(auth, ctx.req));
  });

  router.get('/organizations/:id', inOrganization('document:read'), async (ctx) => {
    const { visitor, organization } = await memberOf(ctx, `${ctx.params.id}`);
    const drafts = visitor.can('document:write', { organizationId: organization.id });
    const listed = await documents.list(organization.id, { drafts, before: `${ctx.query.before}` });
    ctx.body = organizationPage(visitor, organization, listed);
  });
  router.get('/organizations/:id/members', inOrganization('organization:members:read'), async (ctx) => {
    const { visitor, organization } = await memberOf(ctx, `${ctx.params.id}`);
    ctx.body = membersPage(visitor, organization);
  });
  router.post(
    '/organizations/:id/documents',
    inOrganization('document:write', onlyUser),
    parseForm,
    async (ctx) => {
      const given = { ...textOf(ctx), organizationId: `${ctx.params.id}`, ownerId: ctx.state.auth.user.id };
      ctx.redirect(`/documents/${await documents.create(given)}`);
    },
  );

  router.get('/documents/:id', onDocument('document:read'), async (ctx) => {
    const { document } = ctx.state;
    const { visitor, organization } = await memberOf(ctx, document.organizationId);
    // The same response as for a document that does not exist.
    if (!document.publishedAt && !visitor.can('document:write', document)) throw new AuthError('not_found');
    ctx.body = documentPage(visitor, organization, document);
  });
  router.post('/documents/:id', onDocument('document:write', onlyUser), parseForm, async (ctx) => {
    const { id } = ctx.state.document;
    const isSaved = await documents.save({ id, version: versionOf(ctx), ...textOf(ctx) });
    if (!isSaved) ctx.throw(409, 'The document has changed. Copy your text, then reload the page.');
    ctx.redirect(`/documents/${id}`);
  });
  router.post('/documents/:id/publish', onDocument('document:publish', onlyUser), parseForm, async (ctx) => {
    const { id } = ctx.state.document;
    const isPublished = await documents.publish({ id, version: versionOf(ctx) });
    if (!isPublished) ctx.throw(409, 'The document has changed. Reload the page and read it again.');
    ctx.redirect(`/documents/${id}`);
  });
  // Also requires a sign-in or a step-up in the last ten minutes, because a deletion cannot be undone.
  router.post(
    '/documents/:id/delete',
    onDocument('document:delete', onlyUser),
    requireFresh(auth),
    async (ctx) => {
      const { id, organizationId } = ctx.state.document;
      await documents.delete(id);
      ctx.redirect(`/organizations/${organizationId}`);
    },
  );

  for (const [path, type, source] of files) {
    const body = readFileSync(source);
    router.get(path, (ctx) => Object.assign(ctx, { type, body }));
  }
  const app = new Koa();
  app.use(setSecurityHeaders).use(showErrors(signInPage));
  app.use(createAuthRouter(auth).routes()).use(router.routes());
  return app;
}

function textOf(ctx: Context): Pick<Document, 'title' | 'text'> {
  const { title, text } = ctx.request.body as Record<string, unknown>;
  // PostgreSQL cannot store the character NUL.
  const fits = (value: unknown, longest: number): value is string =>
    typeof value === 'string' && value.length <= longest && !value.includes('\0');
  if (!fits(title, 120) || !title.trim()) return ctx.throw(400, 'The title must have 1 to 120 characters.');
  if (!fits(text, 20_000)) return ctx.throw(400, 'The text must have at most 20,000 characters.');
  return { title: title.trim(), text: text.replaceAll('\r\n', '\n') };
}

function versionOf(ctx: Context): number {
  const { version } = ctx.request.body as Record<string, unknown>;
  if (!/^\d{1,9}$/.test(`${version}`)) return ctx.throw(400, 'Reload the page, then try again.');
  return Number(version);
}
