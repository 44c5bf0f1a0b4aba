import { HttpError, type Middleware } from 'koa';
import { AuthError, problemOf } from 'latchkey';

/** Text that is already HTML. Only the tag `html` creates it. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup;

type Value = Markup | string | number | false | null | undefined | readonly Value[];

/**
 * Creates HTML from a template and escapes every value, so that no value can add an element or a script. Write quotes
 * around each attribute. `false`, `null` and `undefined` add nothing.
 */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Markup(String.raw({ raw: parts }, ...values.map(escaped)));

function escaped(value: Value): string {
  if (Array.isArray(value)) return value.map(escaped).join('');
  if (value instanceof Markup) return value.text;
  if (value === false || value === null || value === undefined) return '';
  return `${value}`.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A page. `header` is what follows the name of the app in the first line. */
export const page = (
  { title, header }: { title: string; header?: Html | undefined },
  content: Html,
): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Team documents</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
    <script type="module" src="/browser.js"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header><a class="brand" href="/">Team documents</a>${header}</header>
    <main id="content"><h1>${title}</h1>${content}</main>
  </body>
</html>`.text;

/**
 * The policy forbids inline scripts and everything from other origins, so that injected HTML could do no harm. The
 * referrer policy must not be `no-referrer`, because browsers would then send forms with `Origin: null`, and the guards
 * would reject them as requests of another site.
 */
export const setSecurityHeaders: Middleware = (ctx, next) => {
  ctx.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      'img-src data:',
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  return next();
};

/**
 * Turns an error into a page, or into problem details for `browser.js`.
 *
 * @param signInPage the page for signed-out users. After the sign-in, `browser.js` loads the requested page again.
 */
export const showErrors =
  (signInPage: () => string): Middleware =>
  async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw new AuthError('not_found');
    } catch (error) {
      const { status, title, nextStep = '', code } = problemOf(error)?.body ?? otherProblem(error);
      // Koa logs these errors.
      if (status >= 500) ctx.app.emit('error', error, ctx);
      ctx.status = status;
      ctx.set(problemOf(error)?.headers ?? {});
      ctx.body = { status, title, nextStep, code };
      if (ctx.accepts('html', 'json') === 'json') return;
      const content = html`<p>${nextStep}</p><p><a href="/">Your organizations</a></p>`;
      ctx.type = 'html';
      ctx.body =
        code === 'not_authenticated' ? signInPage() : page({ title: title.replace(/\.$/, '') }, content);
    }
  };

type OtherProblem = { status: number; title: string; nextStep?: string; code?: string };

/** The problem of an error of `ctx.throw`. The messages of all other errors stay private. */
const otherProblem = (error: unknown): OtherProblem =>
  error instanceof HttpError && error.expose
    ? { status: error.status, title: error.message }
    : { status: 500, title: 'Internal error', nextStep: 'Try again later.' };
