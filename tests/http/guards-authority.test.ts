import { type Capability, type Resource, type Role, requirePermission, requireRole } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setStatus } from '../features/support/accounts.ts';
import {
  changeRole,
  found,
  leaveOrganization,
  memberPath,
  signUpAs,
  signUpMember,
} from '../features/support/authority.ts';
import type { TestAgent } from '../support/agent.ts';
import { fileCapabilities, withFiles } from '../support/file-capabilities.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, outcome, startGuarded } from './support/guarded-app.ts';

const roles = ['user', 'admin', 'superadmin'] as const satisfies Role[];

let service: TestService;
let second: ServiceOn;
let app: GuardedApp;
/** The same application on a second service instance. */
let sibling: GuardedApp;
let superadmin: Person;

/** The application's resources by name. Tests add resources. */
const shelf = new Map<string, Resource>();
const onShelf = async (name: string): Promise<Resource | null> => {
  await new Promise((done) => setImmediate(done));
  return shelf.get(name) ?? null;
};

const start = (started: Pick<TestService, 'auth'>) =>
  startGuarded((router) => {
    const auth = withFiles(started.auth);
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
  });

beforeAll(async () => {
  service = await startTestService({ capabilities: fileCapabilities });
  second = await startSecondInstance(service, { capabilities: fileCapabilities });
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

/** Sends the request to both instances, one after the other, with one browser's cookies. */
const everywhere = async (browser: TestAgent, ask: (agent: TestAgent) => Promise<{ body: unknown }>) => [
  await outcome(ask(app.as(browser))),
  await outcome(ask(sibling.as(browser))),
];

describe('a route that requires a role', () => {
  test.each<[role: Role, may: Record<Role, string>]>([
    ['user', { user: 'done', admin: 'forbidden', superadmin: 'forbidden' }],
    ['admin', { user: 'done', admin: 'done', superadmin: 'forbidden' }],
    ['superadmin', { user: 'done', admin: 'done', superadmin: 'done' }],
  ])('accepts the role %s only if the required role is the same or lower', async (role, may) => {
    const { browser, username } = await signUpAs(service, role);
    for (const minimum of roles) {
      expect(await outcome(app.as(browser).post(`/for/${minimum}`))).toBe(may[minimum]);
    }
    const passed = roles.filter((minimum) => may[minimum] === 'done');
    expect(app.reached).toEqual(passed.map((minimum) => `POST /for/${minimum} ${username}`));
  });

  test('cannot be created for a role that does not exist', () => {
    for (const role of ['nonsense', 'constructor', undefined])
      expect(() => requireRole(service.auth, role as Role)).toThrow(TypeError);
  });

  test('rejects an organization admin who is not an admin', async () => {
    const organization = await found(superadmin.browser);
    const { browser } = await signUpMember(service, superadmin.browser, organization, 'admin');
    expect(await outcome(app.as(browser).get('/for/admin'))).toBe('forbidden');
  });

  test('rejects a demoted admin immediately in every process', async () => {
    const admin = await signUpAs(service, 'admin');
    const ask = (agent: TestAgent) => agent.get('/for/admin');
    expect(await everywhere(admin.browser, ask)).toEqual(['done', 'done']);
    expect((await changeRole(superadmin.browser, admin, 'user')).status).toBe(200);
    expect(await everywhere(admin.browser, ask)).toEqual(['forbidden', 'forbidden']);
    expect((await changeRole(superadmin.browser, admin, 'admin')).status).toBe(200);
    expect(await everywhere(admin.browser, ask)).toEqual(['done', 'done']);
  });

  test('rejects a disabled user in every process', async () => {
    const admin = await signUpAs(service, 'admin');
    await setStatus(service, admin, 'disabled');
    const refused = ['not_authenticated', 'not_authenticated'];
    expect(await everywhere(admin.browser, (agent) => agent.get('/for/user'))).toEqual(refused);
  });
});

describe('a route that requires a capability', () => {
  test('checks the owner and the organization of the resource', async () => {
    const founder = await signUpAs(service, 'admin');
    const elsewhere = await signUpAs(service, 'admin');
    const [organization, otherOrganization] = [await found(founder.browser), await found(elsewhere.browser)];
    const join = (role: 'user' | 'admin') => signUpMember(service, founder.browser, organization, role);
    const [owner, member, orgAdmin, leaver] = [
      await join('user'),
      await join('user'),
      await join('admin'),
      await join('user'),
    ];
    await leaveOrganization(leaver.browser, organization);

    const inOrganization = { organizationId: organization.id };
    const resources: Record<string, Resource> = {
      personal: { ownerId: userIdOf(owner) },
      'personal with null': { ownerId: userIdOf(owner), organizationId: null },
      shared: inOrganization,
      owned: { ...inOrganization, ownerId: userIdOf(owner) },
      'of a former member': { ...inOrganization, ownerId: userIdOf(leaver) },
      elsewhere: { organizationId: otherOrganization.id },
      // No organization can have this id, in any database.
      malformed: { organizationId: `${organization.id}'` },
      'malformed and owned': { organizationId: '1', ownerId: userIdOf(owner) },
      'without owner': { ownerId: null },
    };
    for (const [name, resource] of Object.entries(resources)) shelf.set(name, resource);

    const people = { owner, member, orgAdmin, leaver, elsewhere, superadmin };
    const table = {
      // Columns: owner, member, orgAdmin, leaver, elsewhere, superadmin.
      'read personal': '200 404 404 404 404 200',
      'read personal with null': '200 404 404 404 404 200',
      'read shared': '200 200 200 404 404 200',
      'read owned': '200 200 200 404 404 200',
      'read of a former member': '200 200 200 403 404 200',
      'read elsewhere': '404 404 404 404 200 200',
      'read malformed': '404 404 404 404 404 200',
      'read malformed and owned': '403 404 404 404 404 200',
      'read without owner': '403 403 403 403 403 200',
      'read nothing': '404 404 404 404 404 404',
      'manage personal': '200 404 404 404 404 200',
      'manage personal with null': '200 404 404 404 404 200',
      'manage shared': '403 403 200 404 404 200',
      'manage owned': '200 403 200 404 404 200',
      'manage of a former member': '403 403 200 403 404 200',
      'manage elsewhere': '404 404 404 404 200 200',
      'manage malformed': '404 404 404 404 404 200',
      'manage malformed and owned': '403 404 404 404 404 200',
      'manage without owner': '403 403 403 403 403 200',
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

  test('handles a resource lookup that is synchronous', async () => {
    const { browser } = await signUp(service);
    shelf.set('at once', { ownerId: userIdOf(superadmin) });
    expect(await outcome(app.as(browser).get('/at-once'))).toBe('not_found');
    shelf.delete('at once');
    expect(await outcome(app.as(superadmin.browser).get('/at-once'))).toBe('not_found');
  });

  test('checks only the role if it declares no resource', async () => {
    const admin = await signUpAs(service, 'admin');
    expect(await outcome(app.as(admin.browser).post('/assign'))).toBe('forbidden');
    expect(await outcome(app.as(superadmin.browser).post('/assign'))).toBe('done');
  });

  test('cannot be created for a capability that does not exist, even if its name exists in Object.prototype', () => {
    for (const capability of ['file:raed', 'constructor', undefined])
      expect(() => requirePermission(service.auth, capability as Capability, () => ({}))).toThrow(TypeError);
  });

  test('passes an error of the resource lookup to the app', async () => {
    const { status } = await app.as(superadmin.browser).get('/broken');
    expect([status, app.reached]).toEqual([507, []]);
  });

  test('rejects a demoted organization admin and a removed member immediately in every process', async () => {
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
