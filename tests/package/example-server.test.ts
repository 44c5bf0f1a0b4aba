import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { verifyServiceToken } from 'latchkey/service-token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ExampleServer,
  freePort,
  runExampleServer,
  startExampleServer,
} from '../support/example-server.ts';
import { newAuthenticator, type Person, signUp, userIdOf } from '../support/person.ts';
import { send } from '../support/raw-request.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';

const built = fileURLToPath(new URL('../../examples/server/dist/web/', import.meta.url));
const page = readFileSync(`${built}index.html`, 'utf8');
const styles = readFileSync(`${built}assets/app.css`, 'utf8');
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const pagePaths = [
  '/',
  '/signup',
  '/signin',
  '/signin/password',
  '/recover',
  '/invitation',
  '/join',
  '/settings/security',
  '/settings/activity',
  '/files',
  '/organizations',
  '/organizations/0199aa00-0000-7000-8000-000000000000',
  '/admin/users',
  '/admin/users/0199aa00-0000-7000-8000-000000000000',
  '/admin/activity',
  '/admin/invitations',
];

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

let database: TestDatabase;
let server: ExampleServer;
/** The capabilities of each role, as the document contains them. */
let capabilities: string;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startExampleServer(database.url);
  const { text } = await get('/', browser);
  capabilities = /(?<=latchkey-capabilities" content=")[^"]+/.exec(text)?.[0] ?? '';
});
afterAll(async () => {
  server.process.kill('SIGKILL');
  await server.exit;
  await database.drop();
});

/** The HTML document of the pages in English. It contains the origin of the service. */
const served = () =>
  page
    .replace(/\s*<meta lang="de"[^>]*>/, '')
    .replace(/\s*<noscript lang="de">[\s\S]*?<\/noscript>/, '')
    .replace('brand-name" content=""', 'brand-name" content="Latchkey"')
    .replace('latchkey-setup" content=""', 'latchkey-setup" content="on"')
    .replace('origins" content=""', `origins" content="${server.origin}"`)
    .replace('min-length" content=""', 'min-length" content="8"')
    .replace('sign-up-mode" content=""', 'sign-up-mode" content="open"')
    .replace('latchkey-organizations" content=""', 'latchkey-organizations" content="admin"')
    .replace('admin-invitations" content=""', 'admin-invitations" content="on"')
    .replace('organization-roles" content=""', 'organization-roles" content="%7B%7D"')
    .replace('latchkey-capabilities" content=""', `latchkey-capabilities" content="${capabilities}"`)
    .replace('latchkey-impersonation" content=""', 'latchkey-impersonation" content="off"')
    .replace('latchkey-webhooks" content=""', 'latchkey-webhooks" content="on"');

const get = (path: string, headers: Record<string, string> = {}) => send(server.origin, path, { headers });

describe('the server does not start', () => {
  test('in production without settings, and lists all missing settings in one error', async () => {
    const { exitCode, stdout, stderr } = await runExampleServer({ NODE_ENV: 'production' });
    expect(exitCode).toBe(2);
    for (const variable of ['DATABASE_URL', 'JWT_SECRET', 'WEBAUTHN_RP_ID', 'WEBAUTHN_RP_ORIGIN']) {
      expect(stderr).toMatch(new RegExp(`^  ${variable}: given nothing; expected .+`, 'm'));
    }
    // A configuration error has no stack trace.
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
  });

  test('if its only setting is a public origin, because a public origin implies production', async () => {
    const { exitCode, stderr } = await runExampleServer({ WEBAUTHN_RP_ORIGIN: 'https://example.com' });
    expect(exitCode).toBe(2);
    for (const variable of ['DATABASE_URL', 'JWT_SECRET', 'WEBAUTHN_RP_ID']) {
      expect(stderr).toMatch(new RegExp(`^  ${variable}: given nothing; expected .+`, 'm'));
    }
  });

  test('on a port that is in use, and names the port and a solution', async () => {
    const { port } = new URL(server.origin);
    const env = { DATABASE_URL: database.url, JWT_SECRET: secret, SERVER_ADDR: `:${port}` };
    const { exitCode, stderr } = await runExampleServer(env);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `Port ${port} is in use. Choose another port, for example with SERVER_ADDR=:3001 (pages) or METRICS_ADDR=:9465 (metrics).\n`,
    );
  });

  test('if its database is unreachable, and does not print the password of the database', async () => {
    const { exitCode, stderr } = await runExampleServer({
      DATABASE_URL: `postgresql://ada:a-password@127.0.0.1:${await freePort()}/shop`,
      JWT_SECRET: secret,
      SERVER_ADDR: `:${await freePort()}`,
    });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /^The database cannot be used: 127\.0\.0\.1:\d+ refuses connections\. .* in DATABASE_URL\.\n$/,
    );
    expect(stderr).not.toContain('a-password');
  });

  test('with a database role that cannot create the schema, and prints no stack trace', async () => {
    const empty = await createTestDatabase({ empty: true });
    const name = `guest_${crypto.randomUUID().replaceAll('-', '')}`;
    await empty.sql.unsafe(`create role ${name} login password 'a-password'`);
    const url = new URL(empty.url);
    url.username = name;
    url.password = 'a-password';
    const env = { DATABASE_URL: url.href, JWT_SECRET: secret, SERVER_ADDR: `:${await freePort()}` };
    const { exitCode, stderr } = await runExampleServer(env);
    await empty.sql.unsafe(`drop role ${name}`);
    await empty.drop();
    expect(stderr).toMatch(
      /^The database cannot be used: role \w+ has no right to create the schema latchkey .* run: grant create on database \w+ to \w+\. Or set MIGRATION_DATABASE_URL.*\n$/,
    );
    expect(exitCode).toBe(4);
  });
});

describe('a page of the server', () => {
  test.each(pagePaths)('%s returns the document with a strict content security policy', async (path) => {
    const answer = await get(path, browser);
    expect([answer.status, answer.text]).toEqual([200, served()]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });

  test('contains the built-in capabilities of each role', () => {
    expect(JSON.parse(decodeURIComponent(capabilities))).toMatchObject({
      user: { 'organization:read': 'joined', 'organization:delete': 'managed' },
      superadmin: { 'user:manage': 'any' },
    });
  });

  test('contains nothing that its content security policy blocks', () => {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc="\/)|<style|\sstyle=|\son\w+=|(?:src|href)="(?!\/(?!\/))/);
  });

  test('with an unknown path returns 404: the HTML document to browsers, and plain text to other clients', async () => {
    for (const path of [
      '/nothing',
      '/signin/',
      '/assets/nothing.js',
      '/settings',
      '/organizations/',
      '/admin',
    ]) {
      const forBrowser = await get(path, browser);
      expect([forBrowser.status, forBrowser.text]).toEqual([404, served()]);
      expect(forBrowser.headers['content-security-policy']).toBe(policy);
      for (const accept of [undefined, '*/*', 'application/json']) {
        const forProgram = await get(path, accept === undefined ? {} : { Accept: accept });
        expect([forProgram.status, forProgram.text]).toEqual([404, 'Not Found']);
      }
    }
  });

  test('rejects POST', async () => {
    const answer = await send(server.origin, '/signin', { method: 'POST', headers: browser });
    expect([answer.status, answer.text]).toEqual([404, 'Not Found']);
  });

  test('with an unknown path under /auth returns problem details, not the HTML document', async () => {
    const answer = await get('/auth/nothing', { Accept: 'application/json' });
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('the files of the example', () => {
  const organization = '0199aa00-0000-7000-8000-00000000000a';
  let owner: Person;
  let member: Person;
  let manager: Person;
  let stranger: Person;
  const everybody = () => [owner, member, manager, stranger];
  const write = async ({ browser }: Person, more: object = {}) =>
    (await browser.post('/api/files', { name: 'Notes', content: 'Words', ...more })).body.file;
  const statusesOf = (people: Person[], act: (person: Person) => Promise<Answer>) =>
    Promise.all(people.map(async (person) => (await act(person)).status));

  beforeAll(async () => {
    const { origin } = server;
    const visit = () =>
      signUp(
        { url: origin, browser: () => createAgent(origin, origin) },
        { authenticator: newAuthenticator({ origin }) },
      );
    [owner, member, manager, stranger] = [await visit(), await visit(), await visit(), await visit()];
    await database.sql`
      insert into latchkey.organizations (id, name, slug, created_at) values (${organization}, 'O', 'o-o', now())`;
    for (const [person, role] of [
      [owner, 'user'],
      [member, 'user'],
      [manager, 'admin'],
    ] as const) {
      await database.sql`
        insert into latchkey.memberships (organization_id, user_id, role, joined_at)
        values (${organization}, ${userIdOf(person)}, ${role}, now())`;
    }
  });

  test('require a session', async () => {
    const { id } = await write(owner);
    for (const path of ['/api/files', `/api/files/${id}`, '/api/files/overview']) {
      const answer = await get(path);
      expect([answer.status, answer.body]).toEqual([
        401,
        expect.objectContaining({ code: 'not_authenticated' }),
      ]);
    }
  });

  test('without an organization are accessible only to their owner', async () => {
    const { id } = await write(owner);
    const read = ({ browser }: Person) => browser.get(`/api/files/${id}`);
    const change = ({ browser }: Person) => browser.put(`/api/files/${id}`, { name: 'Changed', content: '' });
    const remove = ({ browser }: Person) => browser.delete(`/api/files/${id}`);
    expect(await statusesOf(everybody(), read)).toEqual([200, 404, 404, 404]);
    expect(await statusesOf(everybody(), change)).toEqual([200, 404, 404, 404]);
    expect(await statusesOf([member, manager, stranger], remove)).toEqual([404, 404, 404]);
    expect(await statusesOf([owner, owner], remove)).toEqual(expect.arrayContaining([204]));
    expect(await statusesOf([owner], read)).toEqual([404]);
  });

  test('of an organization can be read by its members, but changed only by the author and organization admins', async () => {
    const { id } = await write(owner, { organizationId: organization });
    const read = ({ browser }: Person) => browser.get(`/api/files/${id}`);
    const change = ({ browser }: Person) => browser.put(`/api/files/${id}`, { name: 'Changed', content: '' });
    expect(await statusesOf(everybody(), read)).toEqual([200, 200, 200, 404]);
    expect(await statusesOf(everybody(), change)).toEqual([200, 403, 200, 404]);
    const answers = await Promise.all(everybody().map(({ browser }) => browser.get('/api/files')));
    const listed = answers.map(({ body }) => body.files.some((file: { id: string }) => file.id === id));
    expect(listed).toEqual([true, true, true, false]);
    const mayManage = await Promise.all(
      [owner, member, manager].map(async (person) => (await read(person)).body.mayManage),
    );
    expect(mayManage).toEqual([true, false, true]);
  });

  test('of an organization can be created only by members', async () => {
    const create = ({ browser }: Person) =>
      browser.post('/api/files', { name: 'Notes', content: '', organizationId: organization });
    expect(await statusesOf(everybody(), create)).toEqual([201, 201, 201, 404]);
  });

  test('of an organization are inaccessible to an author who left the organization', async () => {
    const { id } = await write(member, { organizationId: organization });
    await database.sql`delete from latchkey.memberships where user_id = ${userIdOf(member)}`;
    expect((await member.browser.get(`/api/files/${id}`)).status).toBe(403);
    expect((await member.browser.delete(`/api/files/${id}`)).status).toBe(403);
  });

  test('are counted for each organization, but only admins can read the counts', async () => {
    expect((await manager.browser.get('/api/files/overview')).status).toBe(403);
    await database.sql`update latchkey.users set role = 'admin' where id = ${userIdOf(manager)}`;
    const { body } = await manager.browser.get('/api/files/overview');
    expect(body.organizations).toEqual([{ organizationId: organization, files: expect.any(Number) }]);
  });

  test.each([
    [{ name: '', content: '' }, 400],
    [{ name: 'x'.repeat(101), content: '' }, 400],
    [{ name: 'x', content: 'ü'.repeat(10_001) }, 400],
    [{ name: 'x', content: 'x'.repeat(200_000) }, 413],
    [{ name: 'x', content: 'a\u0000b' }, 400],
    [{ name: 'x', content: '\ud800' }, 400],
    [{ name: 'x' }, 400],
    [{ name: 'x', content: '', organizationId: 'none' }, 400],
    [{ name: 'x', content: '', surplus: true }, 400],
    [[], 400],
  ])('cannot be created with an invalid request body (row %#)', async (body, status) => {
    expect((await owner.browser.post('/api/files', body)).status).toBe(status);
  });

  test('can contain 20 kB, which are returned unchanged', async () => {
    const content = `${'ü'.repeat(9_999)}\n"`;
    const { id } = await write(owner, { content });
    expect((await owner.browser.get(`/api/files/${id}`)).body.file.content).toBe(content);
  });

  test('cannot be created by cross-site requests', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: '' };
    const answer = await owner.browser.post('/api/files', { name: 'x', content: '' }, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'cross_origin_request']);
  });
});

describe('an asset', () => {
  test.each([
    ['/assets/app.js', 'text/javascript; charset=utf-8'],
    ['/assets/app.css', 'text/css; charset=utf-8'],
    ['/assets/favicon.svg', 'image/svg+xml'],
  ])('%s has its content type and an ETag, and returns 304 for the same ETag', async (path, type) => {
    const answer = await get(path);
    expect([answer.status, answer.text]).toEqual([200, readFileSync(`${built}${path.slice(1)}`, 'utf8')]);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toBe('no-cache');
    const etag = `${answer.headers.etag}`;
    expect(etag).toMatch(/^"[\w-]{22}"$/);

    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await get(path, { 'If-None-Match': '"another"' })).status).toBe(200);
  });

  test('is compressed only for clients that accept gzip', async () => {
    const plain = await get('/assets/app.css');
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, styles]);
    const headers = { 'Accept-Encoding': 'gzip' };
    const gzipped = await fetch(`${server.origin}/assets/app.css`, { headers });
    expect(gzipped.headers.get('Content-Encoding')).toBe('gzip');
    expect(Number(gzipped.headers.get('Content-Length'))).toBeLessThan(styles.length / 2);
    expect(await gzipped.text()).toBe(styles);
    for (const answer of [plain.headers.vary, gzipped.headers.get('Vary')]) {
      expect(answer).toContain('Accept-Encoding');
    }
  });

  test.each(['/assets/../main.js', '/assets/..%2fmain.js', '/assets/%2e%2e/main.js', '/assets/', '/main.js'])(
    'cannot be outside the assets folder: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

test('another service needs only the server’s URL to verify tokens', async () => {
  const { origin } = server;
  const agent = createAgent(origin, origin);
  const service = { url: origin, browser: () => agent };
  const { signedUp } = await signUp(service, { authenticator: newAuthenticator({ origin }) });
  const { token } = (await agent.post('/auth/session/token')).body;
  const claims = await verifyServiceToken(token, { issuer: origin, audience: 'localhost' });
  expect(claims).toMatchObject({ userId: signedUp.body.user.id, role: 'user' });
});

test('/healthz reports that the process runs, and /readyz reports whether the database is ready', async () => {
  const read = async (path: string) => {
    const { status, body, headers } = await get(path);
    return [status, body, headers['cache-control']];
  };
  expect(await read('/healthz')).toEqual([200, { status: 'up' }, 'no-store']);
  expect(await read('/readyz')).toEqual([200, { status: 'ready' }, 'no-store']);
  await database.sql`alter schema latchkey rename to mislaid`;
  expect(await read('/readyz')).toEqual([503, { status: 'not ready' }, 'no-store']);
  expect(await read('/healthz')).toEqual([200, { status: 'up' }, 'no-store']);
  await database.sql`alter schema mislaid rename to latchkey`;
  expect(await read('/readyz')).toEqual([200, { status: 'ready' }, 'no-store']);
});

test('the log contains an unexpected error once, with the request id of the response', async () => {
  await database.sql`alter table latchkey.users rename to mislaid`;
  const answer = await get('/auth/username/availability?username=a-name');
  await database.sql`alter table latchkey.mislaid rename to users`;
  expect(answer.status).toBe(500);
  // The server logs the line of the request last.
  await eventually(() => linesOf(answer.headers['x-request-id']).some(({ msg }) => msg === 'request'));
  expect(linesOf(answer.headers['x-request-id'])).toEqual([
    expect.objectContaining({ level: 50, msg: 'a request failed' }),
    expect.objectContaining({ level: 30, msg: 'request', status: 500 }),
  ]);
});

const linesOf = (requestId: unknown): { level: number; msg: string }[] =>
  server
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId);
