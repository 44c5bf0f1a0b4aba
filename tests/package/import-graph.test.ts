import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Arrow, arrows, tableOwners, testArrow } from './support/arrows.ts';
import { graphOf, readGraph } from './support/import-graph.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const source = readGraph(root, ['src', 'cli', 'examples', 'bench']);
const tests = readGraph(root, ['tests']);
const everyArrow = [...arrows, testArrow];

test('files that another test creates in a hidden folder are not read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sources-'));
  for (const path of ['src/.blocks/app.ts', 'src/dist/app.ts', 'src/orders/app.ts', 'src/orders/notes.md']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  expect([...readGraph(folder, ['src', 'cli']).keys()]).toEqual(['src/orders/app.ts']);
  rmSync(folder, { recursive: true });
});

describe('in this repository,', () => {
  test('every file and relative import is found', () => {
    expect(source.size).toBeGreaterThan(80);
    expect(tests.size).toBeGreaterThan(10);
    const files = new Set([...source.keys(), ...tests.keys()]);
    const missing = [...source.values(), ...tests.values()]
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => /^(src|cli|examples|bench|tests)\/.*\.tsx?$/.test(to) && !files.has(to));
    expect(missing).toEqual([]);
  });

  test.each(arrows.map((arrow) => [arrow.law, arrow] as const))('%s', (_, arrow) => {
    expect(arrow.check(source)).toEqual([]);
  });

  test(testArrow.law, () => {
    expect(testArrow.check(tests)).toEqual([]);
  });

  test('every table and view in the migrations has an owner (a folder of src)', () => {
    const texts = [...source.values()]
      .filter(({ path }) => path.startsWith('src/db/'))
      .flatMap(({ texts }) => texts);
    const made = texts.flatMap((text) =>
      [...text.matchAll(/create (?:table|view) (?:if not exists )?latchkey\.(\w+)/g)].map(([, name]) => name),
    );
    expect(made.length).toBeGreaterThan(4);
    expect(new Set(Object.keys(tableOwners))).toEqual(new Set(made));
  });
});

/** The sources of a small example. It follows every rule and contains every form of import. */
const validExample: Record<string, string> = {
  'src/index.ts': `export { createAuthRouter } from './api/router.ts'; export type { User } from './core/user.ts';`,
  'src/api/router.ts': `import { orderRoutes } from './orders.ts'; import { Router } from '@koa/router';`,
  'src/api/orders.ts': `
    import { place } from '../orders/operations.ts';
    import { readBody } from '../http/read-body.ts';
    import { authorize } from '../authorization/authorize.ts';`,
  'src/http/read-body.ts': `import type { Context } from 'koa'; import { AuthError } from '../core/errors.ts';`,
  'src/authorization/authorize.ts': `import { entitle } from '../roles/entitle.ts';`,
  'src/service/operator-actions.ts': `import { entitle } from '../roles/entitle.ts';`,
  'src/roles/entitle.ts': `import type { User } from '../core/user.ts';`,
  'src/orders/operations.ts': `
    import { insertSession } from '../sessions/store.ts';
    import { record } from '../audit/store.ts';
    import { mayPlace } from './rules.ts';
    import { sql } from '../db/sql.ts';`,
  'src/orders/rules.ts': `import type { Order } from './order.ts'; import { AuthError } from '../core/errors.ts';`,
  'src/orders/order.ts': `export interface Order {}`,
  'src/orders/store.ts': `import type { Order } from './order.ts';`,
  'src/sessions/store.ts': `
    import { sql } from '../db/sql.ts';
    // latchkey.users in a comment is allowed
    export const insertSession = (id: string) => sql\`insert into latchkey.sessions values (\${id}, latchkey.clock())\`;`,
  'src/audit/store.ts': `import { sql } from '../db/sql.ts'; sql\`insert into latchkey.audit_events\`;`,
  'src/db/sql.ts': `import sqlTag from 'sql-template-tag'; import { second } from '../core/duration.ts';`,
  'src/db/migrations/0001.ts': `export const script = 'create table latchkey.users (); create table latchkey.sessions ()';`,
  'src/core/errors.ts': `export class AuthError {}`,
  'src/core/duration.ts': `export const second = 1000;`,
  'src/core/actor.ts': `import type { User } from './user.ts';`,
  'src/core/user.ts': `export interface User {}`,
  'src/client/index.ts': `export { send } from './requests.ts';`,
  'src/client/requests.ts': `import { startRegistration } from '@simplewebauthn/browser';`,
  'src/elements/index.ts': `import { createAuthClient } from '../client/index.ts';`,
  'src/service-token/index.ts': `import { jwtVerify } from 'jose'; import { roles } from '../core/user.ts';`,
  'src/testing/index.ts': `import { fromPgPool } from '../db/sql.ts'; const load = (): typeof import('pg-mem') => {};`,
  'examples/minimal.ts': `import { createAuthService } from 'latchkey'; import './server/app.ts';`,
  'examples/server/app.ts': `import { startEmbeddedPostgres } from 'latchkey/embedded'; import Koa from 'koa';`,
  'cli/index.tsx': `import { createAuthService } from 'latchkey';`,
  'tests/rules/orders.test.ts': `import { mayPlace } from '../../src/orders/rules.ts';`,
  'tests/features/orders.test.ts': `import { createAuthService } from 'latchkey'; import '../support/agent.ts';`,
};

/** Changes to the example that break a rule, and the expected problem. */
const breaches: [law: string, path: string, source: string, problem: string][] = [
  [
    'core/ imports only core/',
    'src/core/actor.ts',
    `import type { Order } from '../orders/order.ts';`,
    'src/core/actor.ts imports src/orders/order.ts',
  ],
  [
    'db/ imports only core/ and db/',
    'src/db/migrate.ts',
    `import type { Order } from '../orders/order.ts';`,
    'src/db/migrate.ts imports src/orders/order.ts',
  ],
  [
    'http/ imports only core/ and http/, and no feature',
    'src/http/cookies.ts',
    `import type { Order } from '../orders/order.ts';`,
    'src/http/cookies.ts imports src/orders/order.ts',
  ],
  [
    'the layers under service/ and api/ do not import Koa, http/ or api/, directly or indirectly',
    'src/orders/operations.ts',
    `import type { Context } from 'koa';`,
    'src/orders/operations.ts -> koa',
  ],
  [
    'the layers under service/ and api/ do not import Koa, http/ or api/, directly or indirectly',
    'src/orders/pricing.ts',
    `export { readBody } from '../http/read-body.ts';`,
    'src/orders/pricing.ts -> src/http/read-body.ts',
  ],
  [
    'the layers under service/ and api/ do not import Koa, http/ or api/, directly or indirectly',
    'src/orders/refunds/operations/refund.ts',
    `import { serve } from '../../../api/serve.ts';`,
    'src/orders/refunds/operations/refund.ts -> src/api/serve.ts',
  ],
  [
    'the layers under service/ and api/ do not import Koa, http/ or api/, directly or indirectly',
    'src/sessions/store.ts',
    `import Router from '@koa/router';`,
    'src/sessions/store.ts -> @koa/router',
  ],
  [
    'a rules file imports no SQL, no store and no operation, directly or indirectly',
    'src/orders/refunds/rules.ts',
    `import type { Order } from '../store.ts';`,
    'src/orders/refunds/rules.ts -> src/orders/store.ts',
  ],
  [
    'a rules file imports no SQL, no store and no operation, directly or indirectly',
    'src/orders/rules.ts',
    `import { sql } from '../db/sql.ts';`,
    'src/orders/rules.ts -> src/db/sql.ts',
  ],
  [
    'a rules file imports no SQL, no store and no operation, directly or indirectly',
    'src/orders/rules.ts',
    `const place = await import('./operations.ts');`,
    'src/orders/rules.ts -> src/orders/operations.ts',
  ],
  [
    'a store imports no rules and no operations',
    'src/sessions/store.ts',
    `import type { Decision } from '../orders/rules.ts';`,
    'src/sessions/store.ts imports src/orders/rules.ts',
  ],
  [
    'a store imports no rules and no operations',
    'src/sessions/store.ts',
    `import { place } from '../orders/operations.ts';`,
    'src/sessions/store.ts imports src/orders/operations.ts',
  ],
  [
    'only db imports the library that composes SQL',
    'src/orders/operations.ts',
    `import { join } from 'sql-template-tag';`,
    'src/orders/operations.ts imports sql-template-tag',
  ],
  [
    'a table is named only in the migrations and in the store of its owner',
    'src/orders/store.ts',
    `export const join = (id: string) => sql\`select \${id} from orders join latchkey.users on true\`;`,
    'src/orders/store.ts names latchkey.users',
  ],
  [
    'a table is named only in the migrations and in the store of its owner',
    'src/sessions/operations.ts',
    `const text = 'delete from latchkey.sessions';`,
    'src/sessions/operations.ts names latchkey.sessions',
  ],
  [
    'a table is named only in the migrations and in the store of its owner',
    'src/orders/store.ts',
    `sql\`select from latchkey.orders\`;`,
    'src/orders/store.ts names latchkey.orders',
  ],
  [
    'only `authorize` and `asOperator` create proofs of capabilities',
    'src/api/orders.ts',
    `import { entitle } from '../roles/entitle.ts';`,
    'src/api/orders.ts imports src/roles/entitle.ts',
  ],
  [
    'folders of src do not import each other in a cycle',
    'src/sessions/operations.ts',
    `import type { Order } from '../orders/order.ts';`,
    'orders -> sessions -> orders',
  ],
  [
    'files do not import each other in a cycle',
    'src/core/user.ts',
    `import type { Actor } from './actor.ts';`,
    'src/core/actor.ts -> src/core/user.ts -> src/core/actor.ts',
  ],
  [
    'files do not import each other in a cycle',
    'src/core/errors.ts',
    `export * from './errors.ts';`,
    'src/core/errors.ts -> src/core/errors.ts',
  ],
  [
    'the browser client imports nothing of the server and nothing of Node.js',
    'src/client/types.ts',
    `import type { User } from '../core/user.ts';`,
    'src/client/types.ts imports src/core/user.ts',
  ],
  [
    'the browser client imports nothing of the server and nothing of Node.js',
    'src/client/types.ts',
    `import { randomBytes } from 'node:crypto';`,
    'src/client/types.ts imports node:crypto',
  ],
  [
    'the server imports nothing from the browser client or the elements',
    'src/orders/order.ts',
    `import type { Send } from '../client/requests.ts';`,
    'src/orders/order.ts imports src/client/requests.ts',
  ],
  [
    'the elements import only the entry of the browser client, and no package',
    'src/elements/index.ts',
    `import { send } from '../client/requests.ts';`,
    'src/elements/index.ts imports src/client/requests.ts',
  ],
  [
    'the elements import only the entry of the browser client, and no package',
    'src/elements/index.ts',
    `import { html } from 'lit';`,
    'src/elements/index.ts imports lit',
  ],
  [
    'the server imports nothing from the browser client or the elements',
    'src/orders/order.ts',
    `import { en } from '../elements/index.ts';`,
    'src/orders/order.ts imports src/elements/index.ts',
  ],
  [
    'the main entry imports neither testing/ nor embedded/, directly or indirectly',
    'src/http/read-body.ts',
    `import type { X } from '../testing/index.ts';`,
    'src/index.ts -> src/api/router.ts -> src/api/orders.ts -> src/http/read-body.ts -> src/testing/index.ts',
  ],
  [
    'the verifier of service tokens imports only jose, valibot and the roles, directly or indirectly',
    'src/service-token/index.ts',
    `import type { AuthError } from '../core/errors.ts';`,
    'src/service-token/index.ts -> src/core/errors.ts',
  ],
  [
    'the verifier of service tokens imports only jose, valibot and the roles, directly or indirectly',
    'src/service-token/index.ts',
    `import { createHash } from 'node:crypto';`,
    'src/service-token/index.ts -> node:crypto',
  ],
  [
    'src imports nothing from outside of src',
    'src/testing/index.ts',
    `import { createAuthService } from 'latchkey';`,
    'src/testing/index.ts imports latchkey',
  ],
  [
    'src imports nothing from outside of src',
    'src/testing/index.ts',
    `import { app } from '../../examples/server/app.ts';`,
    'src/testing/index.ts imports examples/server/app.ts',
  ],
  [
    'cli/, examples/ and bench/ import only the entries of the package',
    'cli/commands/migrate.ts',
    `import { migrate } from '../../src/db/migrate.ts';`,
    'cli/commands/migrate.ts imports src/db/migrate.ts',
  ],
  [
    'cli/, examples/ and bench/ import only the entries of the package',
    'examples/server/app.ts',
    `import { migrate } from 'latchkey/db/migrate';`,
    'examples/server/app.ts imports latchkey/db/migrate',
  ],
  [
    'cli/, examples/ and bench/ import only the entries of the package',
    'bench/load.ts',
    `import { app } from '../examples/server/app.ts';`,
    'bench/load.ts imports examples/server/app.ts',
  ],
  [
    'cli/, examples/ and bench/ import only the entries of the package',
    'examples/server/web/app.tsx',
    `import { createAuthClient } from '../../../dist/client/index.js';`,
    'examples/server/web/app.tsx imports dist/client/index.js',
  ],
  [
    testArrow.law,
    'tests/features/orders.test.ts',
    `import { place } from '../../src/orders/operations.ts';`,
    'tests/features/orders.test.ts imports src/orders/operations.ts',
  ],
  [
    testArrow.law,
    'tests/rules/orders.test.ts',
    `const { insert } = await import('../../src/orders/store.ts');`,
    'tests/rules/orders.test.ts imports src/orders/store.ts',
  ],
];

describe('the small example', () => {
  test('follows every rule', () => {
    const graph = graphOf(validExample);
    expect(everyArrow.flatMap((arrow) => arrow.check(graph))).toEqual([]);
  });

  const arrowOf = (law: string) => everyArrow.find((arrow) => arrow.law === law) as Arrow;

  test.each(breaches)('fails the check “%s” after a change in %s', (law, path, changed, expected) => {
    // Through this helper, an operation imports Koa indirectly.
    const helper = { 'src/orders/pricing.ts': `import Koa from 'koa';` };
    const graph = graphOf({ ...validExample, ...helper, [path]: `${validExample[path] ?? ''}\n${changed}` });
    const problems = arrowOf(law).check(graph);
    expect(
      problems.some((problem) => problem.startsWith(expected)),
      problems.join('\n'),
    ).toBe(true);
  });

  test('is tested with at least one violation of every rule', () => {
    expect(new Set(breaches.map(([law]) => law))).toEqual(new Set(everyArrow.map(({ law }) => law)));
  });
});
