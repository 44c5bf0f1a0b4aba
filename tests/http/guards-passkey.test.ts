import { requireFresh, requirePermission, requireRole, requireSession } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setRole } from '../features/support/accounts.ts';
import { found, signUpAs, signUpMember } from '../features/support/authority.ts';
import { addPassword, enterByPassword, signUpWithPassword } from '../features/support/passwords.ts';
import { fileCapabilities, withFiles } from '../support/file-capabilities.ts';
import { type Person, stepUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { type GuardedApp, outcome, startGuarded } from './support/guarded-app.ts';

let service: TestService;
let app: GuardedApp;
let superadmin: Person;
let orgAdmin: Person;

beforeAll(async () => {
  service = await startTestService({ capabilities: fileCapabilities, bcryptCost: 4 });
  superadmin = await signUpWithPassword(service);
  await setRole(service, superadmin, 'superadmin');
  const founder = await signUpAs(service, 'admin');
  const organization = await found(founder.browser);
  orgAdmin = await signUpMember(service, founder.browser, organization, 'admin');
  await addPassword(orgAdmin.browser);
  app = await startGuarded((router) => {
    router.get('/session', requireSession(service.auth));
    router.get('/fresh', requireFresh(service.auth));
    for (const role of ['user', 'admin', 'superadmin'] as const)
      router.get(`/for/${role}`, requireRole(service.auth, role));
    const manage = (find: () => object) => requirePermission(withFiles(service.auth), 'file:manage', find);
    router.get(
      '/own',
      manage(() => ({ ownerId: userIdOf(superadmin) })),
    );
    router.get(
      '/foreign',
      manage(() => ({ ownerId: userIdOf(orgAdmin) })),
    );
    router.get(
      '/organization',
      manage(() => ({ organizationId: organization.id })),
    );
    router.get(
      '/joined',
      requirePermission(withFiles(service.auth), 'file:read', () => ({ organizationId: organization.id })),
    );
  });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const ask = ({ browser }: Person, path: string) => outcome(app.as(browser).get(path));

describe('for a user who has a passkey and signed in with the password,', () => {
  test.each([
    ['/session', 'done'],
    ['/for/user', 'done'],
    ['/own', 'done'],
    ['/fresh', 'passkey_required'],
    ['/for/admin', 'passkey_required'],
    ['/for/superadmin', 'passkey_required'],
    ['/foreign', 'passkey_required'],
    ['/organization', 'passkey_required'],
  ])('the guard of %s returns %s (superadmin, before a step-up)', async (path, expected) => {
    const person = await enterByPassword(service, superadmin);
    expect(await ask(person, path)).toBe(expected);
    await stepUp(person.browser, superadmin.authenticator);
    expect(await ask(person, path)).toBe('done');
  });

  test.each([
    ['/joined', 'done'],
    ['/organization', 'passkey_required'],
    ['/for/admin', 'forbidden'],
  ])('the guard of %s returns %s (organization admin)', async (path, expected) => {
    expect(await ask(await enterByPassword(service, orgAdmin), path)).toBe(expected);
  });
});
