import { once } from 'node:events';
import { connect } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileCapabilities } from '../../examples/server/files/capabilities.ts';
import { RecentCounters } from '../../examples/server/files/recent-counters.ts';
import { createFilesRouter, type FilesRouterOptions } from '../../examples/server/files/routes.ts';
import { type FileStore, openFiles } from '../../examples/server/files/store.ts';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { superadminAs } from './support/impersonation.ts';

const organizationId = '0199aa00-0000-7000-8000-00000000000b';
const text = { name: 'Notes', content: 'Words' };

let service: TestService;
let files: FileStore;
beforeAll(async () => {
  service = await startTestService({ capabilities: fileCapabilities, impersonation: true });
  files = await openFiles(service.database.url);
  await service.database.sql`
    insert into latchkey.organizations (id, name, slug, created_at) values (${organizationId}, 'B', 'b-b', now())`;
});
afterAll(async () => {
  await files.close();
  await service.close();
});

/** Serves the example server's files over HTTP, with the accounts of the service. */
async function startFiles(options: Partial<FilesRouterOptions> = {}) {
  const app = new Koa();
  app.silent = true;
  let reading = () => {};
  /** Resolves when the server starts to read a body. */
  const bodyBegun = () =>
    new Promise<void>((resolve) => {
      reading = resolve;
    });
  app.use((ctx, next) => {
    ctx.req.once('resume', () => reading());
    return next();
  });
  app.use(
    createFilesRouter(service.auth, files, { trustedProxies: 0, rateLimit: false, ...options }).routes(),
  );
  const served = await serve(app);
  onTestFinished(() => served.close());
  return {
    url: served.url,
    bodyBegun,
    browserOf: ({ browser }: Person): TestAgent => createAgent(served.url, origin, new Map(browser.cookies)),
  };
}

async function newMember(role = 'user'): Promise<Person> {
  const person = await signUp(service);
  await service.database.sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    values (${organizationId}, ${userIdOf(person)}, ${role}, now())`;
  return person;
}

test('an impersonator can read the files of the user, but cannot create, change or delete any', async () => {
  const owner = await signUp(service);
  const { browserOf } = await startFiles();
  const { body } = await browserOf(owner).post('/api/files', { ...text, organizationId: null });
  const impersonator = browserOf(await superadminAs(service, owner));
  const path = `/api/files/${body.file.id}`;
  expect((await impersonator.get(path)).status).toBe(200);
  const refused = [
    await impersonator.post('/api/files', { ...text, organizationId: null }),
    await impersonator.put(path, { ...text, content: 'Changed' }),
    await impersonator.delete(path),
  ];
  for (const answer of refused) expect([answer.status, answer.body.code]).toEqual([403, 'impersonating']);
  expect(await files.list(userIdOf(owner), [])).toHaveLength(1);
  expect((await files.find(body.file.id))?.content).toBe('Words');
});

const cookieOf = ({ browser }: Person) => `latchkey=${browser.cookies.get('latchkey')}`;

describe('while the body is being sent,', () => {
  /** Sends a request. Calls `meanwhile` before the last byte of its body. */
  async function writeDuring(
    person: Person,
    request: { method: string; path: string; body: object },
    meanwhile: () => Promise<unknown>,
  ): Promise<RawAnswer> {
    const { url, bodyBegun } = await startFiles();
    const begun = bodyBegun();
    const json = JSON.stringify(request.body);
    async function* pieces() {
      yield Buffer.from(json.slice(0, -1));
      await begun;
      await meanwhile();
      yield Buffer.from(json.slice(-1));
    }
    return send(url, request.path, {
      method: request.method,
      headers: { Cookie: cookieOf(person), Origin: origin, 'Content-Type': 'application/json' },
      body: pieces(),
    });
  }
  const fileOf = async (person: Person) => {
    const owner = { id: userIdOf(person), username: person.username };
    const file = await files.create(text, owner, organizationId);
    if (!file) throw new Error('the file was not created');
    return file;
  };
  const leave = (person: Person) =>
    service.database.sql`delete from latchkey.memberships where user_id = ${userIdOf(person)}`;

  test('a user whose membership ends cannot create a file in the organization', async () => {
    const member = await newMember();
    const request = { method: 'POST', path: '/api/files', body: { ...text, organizationId } };
    expect((await writeDuring(member, request, () => leave(member))).status).toBe(404);
  });

  test('a user whose membership ends cannot change a file of the organization', async () => {
    const member = await newMember();
    const { id } = await fileOf(member);
    const request = { method: 'PUT', path: `/api/files/${id}`, body: { ...text, content: 'Changed' } };
    expect((await writeDuring(member, request, () => leave(member))).status).toBe(403);
    expect((await files.find(id))?.content).toBe('Words');
  });

  test('an organization admin who loses that role cannot change another user’s file', async () => {
    const { id } = await fileOf(await newMember());
    const admin = await newMember('admin');
    const demote = () =>
      service.database.sql`update latchkey.memberships set role = 'user' where user_id = ${userIdOf(admin)}`;
    const request = { method: 'PUT', path: `/api/files/${id}`, body: { ...text, content: 'Changed' } };
    expect((await writeDuring(admin, request, demote)).status).toBe(403);
    expect((await files.find(id))?.content).toBe('Words');
  });

  test.each(['POST', 'PUT'])('a user whose session ends cannot write a file with %s', async (method) => {
    const member = await newMember();
    const { id } = await fileOf(member);
    const path = method === 'POST' ? '/api/files' : `/api/files/${id}`;
    const end = () => member.browser.copy().delete('/auth/session');
    const answer = await writeDuring(member, { method, path, body: { ...text, content: 'Changed' } }, end);
    expect(answer.status).toBe(401);
    expect(await files.list(userIdOf(member), [])).toEqual([]);
    expect((await files.find(id))?.content).toBe('Words');
  });

  test('a user whose file is deleted gets 404', async () => {
    const member = await newMember();
    const { id } = await fileOf(member);
    const request = { method: 'PUT', path: `/api/files/${id}`, body: text };
    expect((await writeDuring(member, request, () => files.remove(id))).status).toBe(404);
  });
});

describe('a request body', () => {
  const headersOf = (person: Person) => ({
    Cookie: cookieOf(person),
    Origin: origin,
    'Content-Type': 'application/json',
    Connection: 'keep-alive',
  });

  test('that is incomplete after 10 s causes a 408, and the connection is closed', async () => {
    const { url, bodyBegun } = await startFiles();
    const person = await signUp(service);
    const begun = bodyBegun();
    let finish = () => {};
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    async function* pieces() {
      yield Buffer.from('{');
      await over;
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answering = send(url, '/api/files', { method: 'POST', headers: headersOf(person), body: pieces() });
    await begun;
    await vi.advanceTimersByTimeAsync(10_000);
    const answer = await answering;
    finish();
    expect([answer.status, answer.body.code]).toEqual([408, 'request_timeout']);
    expect(answer.headers.connection).toBe('close');
  });

  test.each([
    ['with a Content-Length', 'x'.repeat(200_000)],
    ['in chunks', Array.from({ length: 20 }, () => Buffer.from('x'.repeat(10_000)))],
  ])('that is too large causes a 413 if it is sent %s, and the connection is closed', async (_, body) => {
    const { url } = await startFiles();
    const headers = headersOf(await signUp(service));
    const answer = await send(url, '/api/files', { method: 'POST', headers, body });
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
    expect(answer.headers.connection).toBe('close');
  });

  test('that the client aborts causes a 400, not a 413', async () => {
    const app = new Koa();
    app.silent = true;
    const status = new Promise((resolve) => {
      app.use(async (ctx, next) => {
        await next();
        resolve([ctx.status, (ctx.body as { code: string }).code]);
      });
    });
    app.use(createFilesRouter(service.auth, files, { trustedProxies: 0, rateLimit: false }).routes());
    const served = await serve(app);
    onTestFinished(() => served.close());
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const lines = Object.entries(headersOf(await signUp(service))).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(
      ['POST /api/files HTTP/1.1', 'Host: x', 'Content-Length: 100', ...lines, '', '{"name"'].join('\r\n'),
      () => socket.resetAndDestroy(),
    );
    expect(await status).toEqual([400, 'invalid_request']);
  });

  test('is not read without a session', async () => {
    const { url } = await startFiles();
    let finish = () => {};
    const over = new Promise<void>((resolve) => {
      finish = resolve;
    });
    async function* nothing() {
      yield Buffer.from('{');
      await over;
    }
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const answer = await send(url, '/api/files', { method: 'POST', headers, body: nothing() });
    finish();
    expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated']);
  });
});

describe('the rate limit', () => {
  const limited = expect.objectContaining({ status: 429, code: 'rate_limited' });

  test('applies to a user’s requests from all browsers together, and a rejection has a Retry-After header', async () => {
    const files = await startFiles({ rateLimit: true, perUser: 5 });
    const [user, other] = [await signUp(service), await signUp(service)];
    const browsers = [files.browserOf(user), files.browserOf(user)];
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await browsers[n % 2]?.get('/api/files'))?.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const { status, body, headers } = await files.browserOf(user).post('/api/files', text);
    expect([status, body]).toEqual([429, limited]);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expect((await files.browserOf(other).get('/api/files')).status).toBe(200);
  });

  test('counts the requests of an IP address before the session is checked, and ignores forwarding headers', async () => {
    const { url } = await startFiles({ rateLimit: true, perAddress: 3 });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const headers = { 'X-Forwarded-For': `192.0.2.${n}`, 'X-Real-IP': `192.0.2.${n}` };
      statuses.push((await send(url, '/api/files', { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test('counts the IP address that the trusted proxy reports, and counts an IPv6 /64 network as one address', async () => {
    const { url } = await startFiles({ rateLimit: true, perAddress: 2, trustedProxies: 1 });
    const ask = async (forwarded: string) =>
      (await send(url, '/api/files', { headers: { 'X-Forwarded-For': forwarded } })).status;
    expect(await ask('198.51.100.1, 2001:db8::1')).toBe(401);
    expect(await ask('198.51.100.2, 2001:db8::2')).toBe(401);
    expect(await ask('198.51.100.3, 2001:db8::ffff:3')).toBe(429);
    expect(await ask('2001:db8::1, 198.51.100.3')).toBe(401);
  });

  test('counts the IP address of the connection if there are fewer forwarded addresses than trusted proxies', async () => {
    const { url } = await startFiles({ rateLimit: true, perAddress: 2, trustedProxies: 2 });
    const ask = async (forwarded: string) =>
      (await send(url, '/api/files', { headers: { 'X-Forwarded-For': forwarded } })).status;
    expect([await ask('192.0.2.1'), await ask('192.0.2.2'), await ask('192.0.2.3')]).toEqual([401, 401, 429]);
    expect(await ask('192.0.2.4, 10.0.0.1')).toBe(401);
  });

  test('accepts exactly 10 of 50 concurrent requests if the limit is 10', async () => {
    const files = await startFiles({ rateLimit: true, perUser: 10 });
    const browser = files.browserOf(await signUp(service));
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.get('/api/files')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('keeps at most the given number of counters, and evicts the counter that was set least recently', () => {
    const counters = new RecentCounters(3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) counters.set(key, { remaining: 1 });
    expect([...counters.keys()]).toEqual(['c', 'a', 'd']);
  });
});

test.each(['/API/files', '/api/Files', '/api/files/', '/api//files', '/api/files/overview/'])(
  'the path %s returns 404',
  async (path) => {
    const files = await startFiles();
    const browser = files.browserOf(await signUp(service));
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, text)).status).toBe(404);
  },
);

describe('a user can own at most 100 personal files, and an organization at most 100 files:', () => {
  const tooMany = expect.objectContaining({ status: 409, code: 'too_many_files' });
  /** Inserts files directly into the database. */
  const insertFiles = (count: number, owner: Person, organization: string | null) =>
    service.database.sql`
      insert into example_files.files (id, name, content, owner_id, owner_name, organization_id)
      select gen_random_uuid(), 'Notes', '', ${userIdOf(owner)}, ${owner.username}, ${organization}
      from generate_series(1, ${count}::int)`;
  async function newOrganization(...members: Person[]): Promise<string> {
    const id = crypto.randomUUID();
    await service.database.sql`
      insert into latchkey.organizations (id, name, slug, created_at) values (${id}, 'C', ${`c-${id}`}, now())`;
    for (const member of members)
      await service.database.sql`
        insert into latchkey.memberships (organization_id, user_id, role, joined_at)
        values (${id}, ${userIdOf(member)}, 'user', now())`;
    return id;
  }

  test('the next personal file causes a 409, until one is deleted', async () => {
    const { browserOf } = await startFiles();
    const [user, other] = [await signUp(service), await signUp(service)];
    const organization = await newOrganization(user);
    const browser = browserOf(user);
    await insertFiles(99, user, null);
    const last = await browser.post('/api/files', text);
    expect(last.status).toBe(201);
    const refused = await browser.post('/api/files', text);
    expect([refused.status, refused.body]).toEqual([409, tooMany]);

    expect((await browserOf(other).post('/api/files', text)).status).toBe(201);
    expect((await browser.post('/api/files', { ...text, organizationId: organization })).status).toBe(201);
    await browser.delete(`/api/files/${last.body.file.id}`);
    expect((await browser.post('/api/files', text)).status).toBe(201);
  });

  test('the next file of the organization causes a 409 for each member', async () => {
    const { browserOf } = await startFiles();
    const [author, member] = [await signUp(service), await signUp(service)];
    const full = await newOrganization(author, member);
    const empty = await newOrganization(author, member);
    await insertFiles(100, author, full);
    for (const person of [author, member]) {
      const refused = await browserOf(person).post('/api/files', { ...text, organizationId: full });
      expect([refused.status, refused.body]).toEqual([409, tooMany]);
    }
    expect((await browserOf(author).post('/api/files', text)).status).toBe(201);
    expect((await browserOf(member).post('/api/files', { ...text, organizationId: empty })).status).toBe(201);
  });
});

test('no response is cached, not even a rejection', async () => {
  const { url, browserOf } = await startFiles();
  const browser = browserOf(await signUp(service));
  const created = await browser.post('/api/files', text);
  const path = `/api/files/${created.body.file.id}`;
  const answers = [created, await browser.get('/api/files'), await browser.get(path)];
  answers.push(
    await browser.get('/api/files/0199aa00-0000-7000-8000-000000000000'),
    await browser.delete(path),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 404, 204]);
  expect(answers.map(({ headers }) => headers.get('Cache-Control'))).toEqual(answers.map(() => 'no-store'));
  expect((await send(url, '/api/files')).headers['cache-control']).toBe('no-store');
});

describe('a file of an organization', () => {
  const fileOf = async (browser: TestAgent) =>
    (await browser.post('/api/files', { ...text, organizationId })).body.file;

  test('can be read, but not changed or deleted, by a member who is neither its author nor an organization admin', async () => {
    const { browserOf } = await startFiles();
    const [author, member, admin, stranger] = [
      browserOf(await newMember()),
      browserOf(await newMember()),
      browserOf(await newMember('admin')),
      browserOf(await signUp(service)),
    ];
    const path = `/api/files/${(await fileOf(author)).id}`;
    const everyone = [author, member, admin, stranger];
    const read = await Promise.all(everyone.map((browser) => browser.get(path)));
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(read.map(({ body }) => body.mayManage)).toEqual([true, false, true, undefined]);
    for (const browser of [member, stranger]) {
      const expected = browser === member ? 403 : 404;
      expect((await browser.put(path, text)).status).toBe(expected);
      expect((await browser.delete(path)).status).toBe(expected);
    }
    expect((await admin.delete(path)).status).toBe(204);
  });

  test('cannot be created by a user who is not a member', async () => {
    const { browserOf } = await startFiles();
    const answer = await browserOf(await signUp(service)).post('/api/files', { ...text, organizationId });
    expect(answer.status).toBe(404);
  });

  test('is counted only for admins who are also organization admins, and for superadmins', async () => {
    const { browserOf } = await startFiles();
    const admin = await newMember('admin');
    const file = await fileOf(browserOf(admin));
    const other = await signUp(service);
    const countsFor = async (person: Person, role: string) => {
      await service.database.sql`update latchkey.users set role = ${role} where id = ${userIdOf(person)}`;
      const { status, body } = await browserOf(person).get('/api/files/overview');
      const counts: { organizationId: string }[] = body.organizations ?? [];
      return [status, counts.some((count) => count.organizationId === file.organizationId)];
    };
    expect(await countsFor(admin, 'user')).toEqual([403, false]);
    expect(await countsFor(admin, 'admin')).toEqual([200, true]);
    expect(await countsFor(other, 'admin')).toEqual([200, false]);
    expect(await countsFor(other, 'superadmin')).toEqual([200, true]);
  });
});

test('a malformed id returns 404, and a body that is not JSON returns 415', async () => {
  const { browserOf } = await startFiles();
  const person = await signUp(service);
  expect((await browserOf(person).get('/api/files/not-an-id')).status).toBe(404);
  const headers = { 'Content-Type': 'text/plain' };
  const answer = await browserOf(person).post('/api/files', text, headers);
  expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
});
