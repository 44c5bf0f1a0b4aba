import { type Capability, type Resource, type Role, requirePermission, requireRole } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setStatus } from '../features/support/accounts.ts';
import { changeRole, found, memberPath, signUpAs, signUpMember } from '../features/support/authority.ts';
import type { TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, outcome, startGuarded } from './support/guarded-app.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

let service: TestService;
let second: ServiceOn;
let app: GuardedApp;
/** The same application in another process. */
let sibling: GuardedApp;
let superadmin: Person;

/** What the application keeps, by name: each test may add something. */
const shelf = new Map<string, Resource>();
const onShelf = async (name: string): Promise<Resource | null> => {
  await new Promise((done) => setImmediate(done));
  return shelf.get(name) ?? null;
};

const start = ({ auth }: Pick<TestService, 'auth'>) =>
  startGuarded((router) => {
    for (const role of roles) router.all(`/for/${role}`, requireRole(auth, role));
    router.get(
      '/read/:name',
      requirePermission(auth, 'file:read', (ctx) => onShelf(ctx.params.name)),
    );
    router.put(
      '/manage/:name',
      requirePermission(auth, 'file:manage', (ctx) => onShelf(ctx.params.name)),
    );
    router.post('/assign', requirePermission(auth, 'role:assign'));
    router.get(
      '/at-once',
      requirePermission(auth, 'file:read', () => shelf.get('at once') ?? null),
    );
    const broken = () => Promise.reject(Object.assign(new Error('the shelf fell down'), { status: 507 }));
    router.get('/broken', requirePermission(auth, 'file:read', broken));
    router.get(
      '/misspelt',
      requirePermission(auth, 'file:raed' as Capability, () => ({})),
    );
    router.get(
      '/prototype',
      requirePermission(auth, 'constructor' as Capability, () => ({})),
    );
    router.get('/for/nonsense', requireRole(auth, 'nonsense' as Role));
  });

beforeAll(async () => {
  service = await startTestService();
  second = await startSecondInstance(service);
  [app, sibling] = await Promise.all([start(service), start(second)]);
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(async () => {
  await Promise.all([app.close(), sibling.close()]);
  await second.close();
  await service.close();
});
afterEach(() => {
  app.reached.length = 0;
});

/** What a browser is answered by both processes, the one just after the other. */
const everywhere = async (browser: TestAgent, ask: (agent: TestAgent) => Promise<{ body: unknown }>) => [
  await outcome(ask(app.as(browser))),
  await outcome(ask(sibling.as(browser))),
];

describe('a route for people of a role', () => {
  test.each<[role: Role, may: Record<Role, string>]>([
    ['user', { user: 'done', admin: 'forbidden', superadmin: 'forbidden' }],
    ['admin', { user: 'done', admin: 'done', superadmin: 'forbidden' }],
    ['superadmin', { user: 'done', admin: 'done', superadmin: 'done' }],
  ])('is for a %s as the role ranks', async (role, may) => {
    const { browser, username } = await signUpAs(service, role);
    for (const minimum of roles) {
      expect(await outcome(app.as(browser).post(`/for/${minimum}`))).toBe(may[minimum]);
    }
    const passed = roles.filter((minimum) => may[minimum] === 'done');
    expect(app.reached).toEqual(passed.map((minimum) => `POST /for/${minimum} ${username}`));
  });

  test('is for nobody where there is no such role', async () => {
    expect(await outcome(app.as(superadmin.browser).get('/for/nonsense'))).toBe('forbidden');
  });

  test('is closed to an admin of an organization: that role ends where the organization does', async () => {
    const organization = await found(superadmin.browser);
    const { browser } = await signUpMember(service, superadmin.browser, organization, 'admin');
    expect(await outcome(app.as(browser).get('/for/admin'))).toBe('forbidden');
  });

  test('is closed to an admin from the moment of their demotion on, in every process, with the same cookie', async () => {
    const admin = await signUpAs(service, 'admin');
    const ask = (agent: TestAgent) => agent.get('/for/admin');
    expect(await everywhere(admin.browser, ask)).toEqual(['done', 'done']);
    expect((await changeRole(superadmin.browser, admin, 'user')).status).toBe(200);
    expect(await everywhere(admin.browser, ask)).toEqual(['forbidden', 'forbidden']);
    expect((await changeRole(superadmin.browser, admin, 'admin')).status).toBe(200);
    expect(await everywhere(admin.browser, ask)).toEqual(['done', 'done']);
  });

  test('is closed to an account that is disabled, in every process', async () => {
    const admin = await signUpAs(service, 'admin');
    await setStatus(service, admin, 'disabled');
    const refused = ['not_authenticated', 'not_authenticated'];
    expect(await everywhere(admin.browser, (agent) => agent.get('/for/user'))).toEqual(refused);
  });
});

describe('a route for people who may do something', () => {
  test('asks whose the resource is and where it belongs', async () => {
    const founder = await signUpAs(service, 'admin');
    const elsewhere = await signUpAs(service, 'admin');
    const [ours, theirs] = [await found(founder.browser), await found(elsewhere.browser)];
    const join = (role: 'user' | 'admin') => signUpMember(service, founder.browser, ours, role);
    const [owner, member, orgAdmin, leaver] = [
      await join('user'),
      await join('user'),
      await join('admin'),
      await join('user'),
    ];
    await leaver.browser.delete(memberPath(ours, leaver));

    const inOrganization = { organizationId: ours.id };
    const resources: Record<string, Resource> = {
      personal: { ownerId: userIdOf(owner) },
      'personal of null': { ownerId: userIdOf(owner), organizationId: null },
      shared: inOrganization,
      owned: { ...inOrganization, ownerId: userIdOf(owner) },
      'left behind': { ...inOrganization, ownerId: userIdOf(leaver) },
      elsewhere: { organizationId: theirs.id },
      // Of an organization that cannot be: whatever database it comes from.
      malformed: { organizationId: `${ours.id}'` },
      'malformed and owned': { organizationId: '1', ownerId: userIdOf(owner) },
      'of nobody': {},
    };
    for (const [name, resource] of Object.entries(resources)) shelf.set(name, resource);

    const people = { owner, member, orgAdmin, leaver, elsewhere, superadmin };
    const table = {
      // owner, member, orgAdmin, leaver, elsewhere, superadmin
      'read personal': '200 404 404 404 404 200',
      'read personal of null': '200 404 404 404 404 200',
      'read shared': '200 200 200 404 404 200',
      'read owned': '200 200 200 404 404 200',
      'read left behind': '200 200 200 403 404 200',
      'read elsewhere': '404 404 404 404 200 200',
      'read malformed': '404 404 404 404 404 200',
      'read malformed and owned': '403 404 404 404 404 200',
      'read of nobody': '403 403 403 403 403 200',
      'read nothing': '404 404 404 404 404 404',
      'manage personal': '200 404 404 404 404 200',
      'manage personal of null': '200 404 404 404 404 200',
      'manage shared': '403 403 200 404 404 200',
      'manage owned': '200 403 200 404 404 200',
      'manage left behind': '403 403 200 403 404 200',
      'manage elsewhere': '404 404 404 404 200 200',
      'manage malformed': '404 404 404 404 404 200',
      'manage malformed and owned': '403 404 404 404 404 200',
      'manage of nobody': '403 403 403 403 403 200',
      'manage nothing': '404 404 404 404 404 404',
    };
    const met: Record<string, string> = {};
    for (const line of Object.keys(table)) {
      const [, verb, name = ''] = /^(\w+) (.+)$/.exec(line) ?? [];
      const statuses: number[] = [];
      for (const { browser } of Object.values(people)) {
        const path = `/${verb}/${encodeURIComponent(name)}`;
        const agent = app.as(browser);
        const { status } = await (verb === 'read' ? agent.get(path) : agent.put(path));
        statuses.push(status);
      }
      met[line] = statuses.join(' ');
    }
    expect(met).toEqual(table);
    const passed = Object.values(table)
      .join(' ')
      .split(' ')
      .filter((status) => status === '200');
    expect(app.reached).toHaveLength(passed.length);
  });

  test('takes a resource that is there at once as well', async () => {
    const { browser } = await signUp(service);
    shelf.set('at once', { ownerId: userIdOf(superadmin) });
    expect(await outcome(app.as(browser).get('/at-once'))).toBe('not_found');
    shelf.delete('at once');
    expect(await outcome(app.as(superadmin.browser).get('/at-once'))).toBe('not_found');
  });

  test('asks for the role alone where it is about no resource', async () => {
    const admin = await signUpAs(service, 'admin');
    expect(await outcome(app.as(admin.browser).post('/assign'))).toBe('forbidden');
    expect(await outcome(app.as(superadmin.browser).post('/assign'))).toBe('done');
  });

  test('is for nobody where no table has the capability, be it a name that every object has', async () => {
    for (const path of ['/misspelt', '/prototype']) {
      expect(await outcome(app.as(superadmin.browser).get(path))).toBe('forbidden');
    }
  });

  test('hands on what goes wrong while the resource is looked for', async () => {
    const { status } = await app.as(superadmin.browser).get('/broken');
    expect([status, app.reached]).toEqual([507, []]);
  });

  test('is closed to a member from the moment of their removal on, and managing with the role in it, everywhere', async () => {
    const organization = await found(superadmin.browser);
    const person = await signUpMember(service, superadmin.browser, organization, 'admin');
    shelf.set('of the club', { organizationId: organization.id });
    const read = (agent: TestAgent) => agent.get('/read/of%20the%20club');
    const manage = (agent: TestAgent) => agent.put('/manage/of%20the%20club');
    expect(await everywhere(person.browser, manage)).toEqual(['done', 'done']);

    await signUpMember(service, superadmin.browser, organization, 'admin');
    const path = memberPath(organization, person);
    expect((await superadmin.browser.patch(path, { role: 'user' })).status).toBe(200);
    expect(await everywhere(person.browser, manage)).toEqual(['forbidden', 'forbidden']);
    expect(await everywhere(person.browser, read)).toEqual(['done', 'done']);

    expect((await superadmin.browser.delete(path)).status).toBe(204);
    expect(await everywhere(person.browser, read)).toEqual(['not_found', 'not_found']);
  });
});
