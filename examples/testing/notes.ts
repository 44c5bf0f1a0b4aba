import { Router } from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import {
  type AuthService,
  createAuthRouter,
  type GuardedState,
  requirePermission,
  requireSession,
} from 'latchkey';
import type { Sql } from 'postgres';

export const noteCapabilities = { user: { 'note:change': 'own' } } as const;

/**
 * Users keep notes in a table of the application (notes.sql). Only the owner can delete a note. When a user is deleted,
 * PostgreSQL deletes the user's notes in the same statement.
 */
export function createNotesApp(auth: AuthService<'note:change'>, sql: Sql): Koa {
  const findNote = async (id: string) => {
    const [note] = await sql<{ ownerId: string }[]>`
      select owner_id as "ownerId" from notes where id::text = ${id}`;
    return note ?? null;
  };

  const router = new Router<GuardedState>();
  router.get('/notes', requireSession(auth), async (ctx) => {
    const { id } = ctx.state.auth.user;
    ctx.body = await sql`select id, text from notes where owner_id = ${id} order by created_at, id limit 100`;
  });
  router.post('/notes', requireSession(auth, { impersonated: false }), bodyParser(), async (ctx) => {
    const { text } = ctx.request.body as { text?: unknown };
    if (typeof text !== 'string' || text.length === 0 || text.length > 1000) {
      ctx.status = 400;
      return;
    }
    const [note] = await sql`
      insert into notes (owner_id, text) values (${ctx.state.auth.user.id}, ${text}) returning id, text`;
    ctx.status = 201;
    ctx.body = note;
  });
  router.delete(
    '/notes/:id',
    requirePermission(auth, 'note:change', (ctx) => findNote(`${ctx.params.id}`), { impersonated: false }),
    async (ctx) => {
      await sql`delete from notes where id::text = ${`${ctx.params.id}`}`;
      ctx.status = 204;
    },
  );

  const app = new Koa();
  app.use(createAuthRouter(auth).routes());
  app.use(router.routes());
  return app;
}
