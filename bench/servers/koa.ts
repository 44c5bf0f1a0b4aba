import Koa from 'koa';
import postgres from 'postgres';
import { serve } from './serve.ts';

// Shows the minimum cost of a session check. Koa sends the same response as Latchkey: as fixed bytes, or after reading
// the user by primary key.
const app = new Koa();
if (process.argv[2] === 'select') app.use(answerFromRow());
else app.use(answerAtOnce());
serve(app.callback());

function answerAtOnce(): Koa.Middleware {
  const body = JSON.parse(process.env.ANSWER ?? '');
  return (ctx) => {
    ctx.body = body;
  };
}

function answerFromRow(): Koa.Middleware {
  const sql = postgres(process.env.DATABASE_URL ?? '');
  return async (ctx) => {
    const [user] = await sql`
      select id, username, display_name as "displayName", role, status, created_at as "createdAt"
      from people where id = ${ctx.cookies.get('person') ?? ''}`;
    if (user) ctx.body = { user };
  };
}
