import { createTestAuthService, type TestAgent, type TestAnswer } from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../examples/koa-app/app.ts';
import { access, schema } from '../../examples/koa-app/documents.ts';
import { html } from '../../examples/koa-app/html.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const start = () =>
  createTestAuthService({
    ...access,
    impersonation: true,
    database: database.url,
    app: (auth) => createApp(auth, database.sql),
  });

type Kit = Awaited<ReturnType<typeof start>>;
type Person = Awaited<ReturnType<Kit['signedInAs']>>;
type Organization = Awaited<ReturnType<Kit['organization']>>;

let database: TestDatabase;
let kit: Kit;
let team: Organization;
let admin: Person;
let editor: Person;
let viewer: Person;
beforeAll(async () => {
  database = await createTestDatabase();
  kit = await start();
  await database.sql.unsafe(schema);
});
beforeEach(async () => {
  team = await kit.organization();
  admin = await kit.signedInAs('user', { adminOf: [team] });
  editor = await member('editor');
  viewer = await member('viewer');
});
afterEach(() => database.sql`delete from documents`);
afterAll(async () => {
  await kit.close();
  await database.drop();
});

const operator = () => kit.auth.asOperator('ops').organizations;

/** Signs in a user who has this role in the organization of the test. */
const member = (role: string): Promise<Person> => kit.signedInAs('user', { roleIn: { [role]: [team] } });

/** Starts to use the account of a user as a superadmin. */
async function impersonatorOf({ user }: Person): Promise<Person> {
  const superadmin = await kit.signedInAs('superadmin');
  const path = `/auth/admin/users/${user.id}/impersonation`;
  expect((await superadmin.post(path, { reason: 'Ticket 4711' })).status).toBe(201);
  return superadmin;
}

interface Sent {
  status: number;
  location: string | null;
  code?: string | undefined;
  title?: string | undefined;
}

/** Sends a form, as browser.js does. */
async function send(agent: TestAgent, path: string, values: object = {}, headers = {}): Promise<Sent> {
  const answer = await agent.fetch(path, {
    method: 'POST',
    headers: { Accept: 'application/json', ...headers },
    body: new URLSearchParams(values as Record<string, string>),
  });
  const text = await answer.text();
  const location = answer.headers.get('Location');
  if (location) return { status: answer.status, location };
  const { code, title } = JSON.parse(text) as Sent;
  return { status: answer.status, location, code, title };
}

const view = (agent: TestAgent, path: string): Promise<TestAnswer<string>> =>
  agent.get<string>(path, { Accept: 'text/html' });

const written = { title: 'Plan', text: 'Build the engine.' };

/** Creates a document as the editor. Returns its path. */
async function draft(values: object = written): Promise<string> {
  const { status, location } = await send(editor, `/organizations/${team.id}/documents`, values);
  expect(status).toBe(302);
  return `${location}`;
}

async function published(): Promise<string> {
  const path = await draft();
  expect((await send(admin, `${path}/publish`, { version: '1' })).status).toBe(302);
  return path;
}

const textsOf = async (path: string) => {
  const [row] = await database.sql`
    select title, text, version, published_at is not null as published, owner_id from documents
    where id = ${path.replace('/documents/', '')}`;
  return row;
};

describe('in the example koa-app,', () => {
  test('an editor writes a draft, and an organization admin publishes it', async () => {
    const path = await draft();
    expect((await view(editor, path)).body).toContain('Build the engine.');
    expect((await send(editor, `${path}/publish`, { version: '1' })).code).toBe('forbidden');
    expect((await send(admin, `${path}/publish`, { version: '1' })).location).toBe(path);
    expect(await textsOf(path)).toMatchObject({ version: 2, published: true });
  });

  test('a viewer can read published documents, but cannot write, publish or delete any', async () => {
    const path = await published();
    const list = await view(viewer, `/organizations/${team.id}`);
    expect([list.status, list.body]).toEqual([200, expect.stringContaining(`href="${path}"`)]);
    expect((await view(viewer, path)).body).toContain('Build the engine.');
    for (const refused of [`/organizations/${team.id}/documents`, path, `${path}/publish`, `${path}/delete`])
      expect([refused, await send(viewer, refused, { ...written, version: '2' })]).toEqual([
        refused,
        expect.objectContaining({ status: 403, code: 'forbidden' }),
      ]);
    expect(await textsOf(path)).toMatchObject({ ...written, version: 2 });
  });

  test('an impersonator reads what the user can read, but cannot change anything', async () => {
    const path = await draft();
    const impersonator = await impersonatorOf(editor);
    expect((await view(impersonator, path)).body).toContain('Build the engine.');
    for (const refused of [`/organizations/${team.id}/documents`, path])
      expect(await send(impersonator, refused, { ...written, version: '1' })).toMatchObject({
        status: 403,
        code: 'impersonating',
      });
    expect(await textsOf(path)).toMatchObject({ ...written, version: 1 });
  });

  test('an impersonator of an organization admin can neither publish nor delete a document', async () => {
    const path = await draft();
    const impersonator = await impersonatorOf(admin);
    for (const action of ['publish', 'delete'])
      expect((await send(impersonator, `${path}/${action}`, { version: '1' })).code).toBe('impersonating');
    expect(await textsOf(path)).toMatchObject({ version: 1, published: false });
  });

  test('a viewer sees no draft, and gets the response for an unknown document', async () => {
    const path = await draft();
    const list = await view(viewer, `/organizations/${team.id}`);
    expect([list.status, list.body]).toEqual([200, expect.not.stringContaining(path)]);
    const [hidden, unknown] = [
      await view(viewer, path),
      await view(viewer, `/documents/${crypto.randomUUID()}`),
    ];
    expect([hidden.status, hidden.body]).toEqual([404, unknown.body]);
  });

  test('a page shows only the forms that its user can send', async () => {
    const path = await published();
    const formsOf = async (person: Person, page: string) =>
      [...(await view(person, page)).body.matchAll(/ action="([^"]+)"/g)].map(([, action]) => action);
    const create = `/organizations/${team.id}/documents`;
    expect(await formsOf(viewer, `/organizations/${team.id}`)).toEqual([]);
    expect(await formsOf(editor, `/organizations/${team.id}`)).toEqual([create]);
    expect(await formsOf(viewer, path)).toEqual([]);
    expect(await formsOf(editor, path)).toEqual([path, `${path}/delete`]);
    expect(await formsOf(admin, path)).toEqual([path, `${path}/delete`]);
    expect(await formsOf(admin, await draft())).toHaveLength(3);
    const members = `/organizations/${team.id}/members`;
    for (const action of ['invite', 'change-role', 'remove-member']) {
      expect((await view(admin, members)).body).toContain(`data-action="${action}"`);
      expect((await view(editor, members)).body).not.toContain(`data-action="${action}"`);
    }
  });

  test('a change makes a published document a draft again', async () => {
    const path = await published();
    expect((await send(editor, path, { ...written, text: 'Sell it.', version: '2' })).location).toBe(path);
    expect(await textsOf(path)).toMatchObject({ text: 'Sell it.', published: false, version: 3 });
    expect((await view(viewer, path)).status).toBe(404);
  });

  test('no user overwrites or publishes a version that they have not seen', async () => {
    const path = await draft();
    await send(editor, path, { ...written, text: 'Unread', version: '1' });
    const stale = expect.objectContaining({ status: 409, title: expect.stringMatching(/has changed/) });
    expect(await send(admin, `${path}/publish`, { version: '1' })).toEqual(stale);
    expect(await send(admin, path, { ...written, text: 'Overwritten', version: '1' })).toEqual(stale);
    expect(await textsOf(path)).toMatchObject({ text: 'Unread', published: false, version: 2 });
  });

  test('a former member, a member of another organization and a superadmin get 404', async () => {
    const path = await published();
    const former = await member('editor');
    expect((await view(former, path)).status).toBe(200);
    await operator().removeMember(team.slug, former.user.username);
    const others = [
      former,
      await kit.signedInAs('user', { adminOf: [await kit.organization()] }),
      await kit.signedInAs('superadmin'),
    ];
    const pages = [path, `/organizations/${team.id}`];
    for (const other of others)
      for (const page of pages) expect([page, (await view(other, page)).status]).toEqual([page, 404]);
    const requests = [path, `${path}/publish`, `${path}/delete`, `/organizations/${team.id}/documents`];
    for (const other of others)
      for (const request of requests)
        expect((await send(other, request, { ...written, version: '2' })).status).toBe(404);
    expect(await textsOf(path)).toMatchObject({ ...written, version: 2 });
    expect((await view(others[2] as Person, `/organizations/${team.id}/members`)).status).toBe(404);
  });

  test('an author who is no longer a member has no access to the document', async () => {
    const path = await published();
    await operator().removeMember(team.slug, editor.user.username);
    expect((await view(editor, path)).status).toBe(403);
    for (const request of [path, `${path}/publish`, `${path}/delete`])
      expect((await send(editor, request, { ...written, version: '2' })).code).toBe('forbidden');
    expect((await view(editor, `/organizations/${team.id}`)).status).toBe(404);
    expect(await textsOf(path)).toMatchObject({ ...written, version: 2 });
  });

  test('a member with the built-in role user has no access to documents', async () => {
    const path = await published();
    const helper = await kit.signedInAs('user', { memberOf: [team] });
    expect((await view(helper, '/')).body).toContain('No documents');
    expect((await view(helper, path)).status).toBe(403);
    expect((await view(helper, `/organizations/${team.id}`)).status).toBe(403);
  });

  test('a demotion applies to the next request', async () => {
    const path = await draft();
    await operator().changeMemberRole(team.slug, editor.user.username, 'viewer');
    expect((await send(editor, path, { ...written, version: '1' })).status).toBe(403);
  });

  test('the author and organization admins delete a document, and only with fresh authentication', async () => {
    const other = await member('editor');
    for (const person of [editor, admin]) {
      const path = await draft();
      expect((await send(other, `${path}/delete`)).code).toBe('forbidden');
      kit.clock.advance({ minutes: 11 });
      expect((await send(person, `${path}/delete`)).code).toBe('reauthentication_required');
      await person.stepUp();
      expect((await send(person, `${path}/delete`)).location).toBe(`/organizations/${team.id}`);
      expect(await textsOf(path)).toBeUndefined();
    }
  });

  test('a form from a page of another site is rejected', async () => {
    const path = await published();
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const request of [path, `${path}/publish`, `${path}/delete`, `/organizations/${team.id}/documents`])
      expect((await send(admin, request, { ...written, version: '2' }, foreign)).code).toBe(
        'cross_origin_request',
      );
    expect(await textsOf(path)).toMatchObject({ ...written, version: 2 });
  });

  test('signed-out users get the sign-in page with 401, and cannot change anything', async () => {
    const path = await published();
    const visitor = kit.visitor();
    for (const page of [path, `/organizations/${team.id}`, `/organizations/${team.id}/members`]) {
      const answer = await view(visitor, page);
      expect([answer.status, answer.body]).toEqual([401, expect.stringContaining('Sign in with a passkey')]);
    }
    expect((await view(visitor, '/')).status).toBe(200);
    expect((await view(visitor, '/join')).body).toContain('Sign in to join');
    expect((await send(visitor, `${path}/delete`)).code).toBe('not_authenticated');
    expect(await textsOf(path)).toMatchObject(written);
  });

  test('invalid values are refused with a reason', async () => {
    const path = await draft();
    const save = (values: object) => send(editor, path, { ...written, version: '1', ...values });
    const title = expect.objectContaining({ status: 400, title: expect.stringMatching(/^The title must/) });
    const text = expect.objectContaining({ status: 400, title: expect.stringMatching(/^The text must/) });
    for (const invalid of ['', ' ', 'x'.repeat(121), 'a\0b'])
      expect(await save({ title: invalid })).toEqual(title);
    for (const invalid of ['x'.repeat(20_001), 'a\0b']) expect(await save({ text: invalid })).toEqual(text);
    for (const version of ['', '-1', '1.5', '9'.repeat(10)])
      expect((await save({ version })).status).toBe(400);
    const asJson = await editor.post(path, { ...written, version: '1' });
    expect(asJson.status).toBe(400);
    expect((await save({ text: 'x'.repeat(300_000) })).status).toBe(413);
    expect(await textsOf(path)).toMatchObject({ ...written, version: 1 });
  });

  test('unknown paths, documents and organizations return 404', async () => {
    for (const path of [
      '/nothing',
      '/documents/x',
      '/organizations/x',
      `/organizations/${crypto.randomUUID()}`,
    ])
      expect([path, (await view(admin, path)).status]).toEqual([path, 404]);
  });

  test('the pages escape what users write', async () => {
    const hostile = `<script>alert(1)</script>"'&`;
    const escaped = '&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;';
    team = await kit.organization(hostile);
    admin = await kit.signedInAs('user', { adminOf: [team] });
    editor = await member('editor');
    const path = await draft({ title: hostile, text: `\n</textarea>${hostile}` });
    const pages = ['/', `/organizations/${team.id}`, `/organizations/${team.id}/members`, path];
    for (const page of pages) {
      const { body } = await view(editor, page);
      expect(body).toContain(escaped);
      expect(body).not.toContain('<script>');
    }
    const { body } = await view(editor, path);
    // The first line break after the tag is not part of the value.
    expect(body).toContain(`maxlength="20000">\n\n&#60;/textarea&#62;`);
    expect(`${html`${[null, undefined, false, 0, [html`<b>`]]}`.text}`).toBe('0<b>');
  });

  test('every response has a strict content security policy, and no page has inline code', async () => {
    const path = await published();
    const pages = ['/', '/join', '/nothing', `/organizations/${team.id}`, path];
    for (const page of [...pages, '/browser.js', '/style.css', '/auth/client/index.js', '/auth/session']) {
      const { headers, body } = await admin.get<string>(page, { Accept: 'text/html' });
      const policy = headers.get('Content-Security-Policy');
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
      expect(policy).toMatch(/frame-ancestors 'none'$/);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      // With `no-referrer`, browsers would send forms with the origin "null".
      expect(headers.get('Referrer-Policy')).toMatch(page.startsWith('/auth') ? /./ : /^same-origin$/);
      if (!pages.includes(page)) continue;
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(body).not.toMatch(
        /<script(?![^>]*\bsrc="\/)|<style|\sstyle=|\son\w+=|(?:src|href)="(?:https?:|\/\/)/,
      );
    }
  });

  test('the files of the pages are served with their types', async () => {
    const typeOf = async (path: string) => (await kit.visitor().get(path)).headers.get('Content-Type');
    expect(await typeOf('/browser.js')).toMatch(/^text\/javascript/);
    expect(await typeOf('/auth/client/index.js')).toMatch(/^text\/javascript/);
    expect(await typeOf('/style.css')).toMatch(/^text\/css/);
  });

  test('deleting the account of the author keeps the document, and deleting the organization deletes it', async () => {
    const path = await published();
    expect((await editor.delete('/auth/account')).status).toBe(204);
    expect(await textsOf(path)).toMatchObject({ ...written, owner_id: null });
    expect((await view(viewer, path)).status).toBe(200);
    expect((await admin.delete(`/auth/organizations/${team.id}`)).status).toBe(204);
    expect(await textsOf(path)).toBeUndefined();
  });

  test('a list has 50 documents, newest first, and a link to older documents', async () => {
    await database.sql`
      insert into documents (organization_id, title, text, created_at)
      select ${team.id}, 'Number ' || number, '', now() + number * interval '1 second'
      from generate_series(1, 51) as number`;
    const titlesIn = (body: string) => [...body.matchAll(/>(Number \d+)</g)].map(([, title]) => title);
    const first = (await view(editor, `/organizations/${team.id}`)).body;
    expect(titlesIn(first)).toHaveLength(50);
    expect(titlesIn(first)[0]).toBe('Number 51');
    const [, older = ''] = /href="([^"]+before=[^"]+)"/.exec(first) ?? [];
    const second = (await view(editor, older)).body;
    expect(titlesIn(second)).toEqual(['Number 1']);
    expect(second).not.toContain('before=');
    // Deleting the last document of the first page does not change the second page.
    await database.sql`delete from documents where title = 'Number 2'`;
    expect(titlesIn((await view(editor, older)).body)).toEqual(['Number 1']);
    // An invalid id is not a position in the list.
    expect(titlesIn((await view(editor, `/organizations/${team.id}?before=x`)).body)).toHaveLength(50);
  });

  test('every user can create an organization, and invite users with the roles of the app', async () => {
    const founder = await kit.signedInAs('user');
    const { status, body } = await founder.post<{ organization: { id: string } }>('/auth/organizations', {
      name: 'Looms',
    });
    expect(status).toBe(201);
    const invitations = `/auth/organizations/${body.organization.id}/invitations`;
    for (const role of ['viewer', 'editor', 'admin'])
      expect((await founder.post(invitations, { role })).status).toBe(201);
    expect((await founder.post(invitations, { role: 'owner' })).status).toBe(400);
    expect((await view(founder, `/organizations/${body.organization.id}`)).status).toBe(200);
  });
});
