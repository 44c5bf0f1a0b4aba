import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'examples/koa-app/server.ts',
    replace: 'SERVER_ADDR: `:${port}`',
    by: '',
    breaks: 'examples/koa-app on another port refuses its own pages',
    killedBy: ['tests/browser/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/html.ts',
    replace: 'replace(/[&<>"\']/g,',
    by: "replace(/[&<>']/g,",
    breaks: 'A title in a document of examples/koa-app can add attributes to an element',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/html.ts',
    replace: "'Referrer-Policy': 'same-origin',",
    by: "'Referrer-Policy': 'no-referrer',",
    breaks: 'Browsers send the forms of examples/koa-app with the origin "null"',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/documents.ts',
    replace: "      'document:read': 'managed',",
    by: "      'document:read': ['managed', 'joined'],",
    breaks: 'Members of examples/koa-app without a role for documents can read documents',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/documents.ts',
    replace:
      'set version = version + 1, published_at = now()\n        where id = ${id} and version = ${version}`;',
    by: 'set version = version + 1, published_at = now()\n        where id = ${id}`;',
    breaks: 'An organization admin of examples/koa-app can publish a text that the page has not shown',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/documents.ts',
    replace: '(published_at is not null or ${drafts})',
    by: '(published_at is not null or ${drafts} or true)',
    breaks: 'Viewers of examples/koa-app see drafts in the list',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/app.ts',
    replace: "if (!document.publishedAt && !visitor.can('document:write', document))",
    by: 'if (false)',
    breaks: 'Viewers of examples/koa-app can open drafts',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
  {
    file: 'examples/koa-app/app.ts',
    replace: "onDocument('document:delete', onlyUser),\n    requireFresh(auth),",
    by: "onDocument('document:delete', onlyUser),",
    breaks: 'A document of examples/koa-app can be deleted without fresh authentication',
    killedBy: ['tests/features/example-koa-app.test.ts'],
  },
] satisfies Mutant[];
