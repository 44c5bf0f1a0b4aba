import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthService, AuthServiceOptions, Role } from 'latchkey';
import type { User } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { latchkeyBrand } from '../../examples/server/brand/setting.ts';
import { loadPages } from '../../examples/server/pages.ts';
import consoleMessages from '../../examples/server/web/messages/console-en.ts';
import { addMessages } from '../../examples/server/web/messages/text.ts';
import { consequencesOf, rightPhrases } from '../../examples/server/web/organizations/right-phrases.ts';
import {
  type CapabilityScopes,
  type PageCapability,
  reachesOrganization,
  scopeIn,
} from '../../examples/server/web/scopes.ts';
import { roleHint } from '../../examples/server/web/users/role-hints.ts';
import { actionsFor } from '../../examples/server/web/users/user-actions.ts';
import { showEnglish } from '../support/english-messages.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

beforeAll(showEnglish);

let folder: string;
let service: TestService;
const others: ServiceOn[] = [];
beforeAll(async () => {
  addMessages(consoleMessages);
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-narrowed-'));
  mkdirSync(join(folder, 'assets'));
  const page = readFileSync(new URL('../../examples/server/web/index.html', import.meta.url));
  writeFileSync(join(folder, 'index.html'), page);
});
afterAll(async () => {
  await Promise.all(others.map((other) => other.close()));
  await service.close();
  await removeFolder(folder);
});

/** The capabilities in the document that a service with these options serves. */
async function scopesOf(options: AuthServiceOptions): Promise<CapabilityScopes> {
  const other = await startServiceOn(service.database.url, options);
  others.push(other);
  return scopesIn(other.auth);
}

function scopesIn(auth: AuthService): CapabilityScopes {
  const html = `${loadPages(auth, latchkeyBrand, folder).document.bytes}`;
  const [, content = ''] = /name="latchkey-capabilities" content="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(decodeURIComponent(content));
}

const person = (role: Role, id: string = role): User => ({
  id,
  username: id,
  displayName: null,
  role,
  status: 'active',
  createdAt: '2026-01-02T03:04:05Z',
});
const actionsOf = (scopes: CapabilityScopes, mine: Role, theirs: Role = 'user') =>
  actionsFor(person(mine, 'me'), person(theirs), { capabilityScopes: scopes, impersonation: true });

test('without the option `capabilities`, the pages offer what each role can do', () => {
  const scopes = scopesIn(service.auth);
  expect(scopes.user).toEqual({
    'organization:read': 'joined',
    'organization:leave': 'joined',
    'organization:update': 'managed',
    'organization:delete': 'managed',
    'organization:members:read': 'joined',
    'organization:members:invite': 'managed',
    'organization:members:promote': 'managed',
    'organization:members:remove': 'managed',
  });
  expect(actionsOf(scopes, 'admin')).toEqual(['recovery', 'sessions']);
  expect(actionsOf(scopes, 'superadmin')).toEqual([
    'role',
    'recovery',
    'sessions',
    'impersonate',
    'disable',
    'remove',
  ]);
});

test.each<[PageCapability, string[]]>([
  ['role:assign', ['role']],
  ['user:impersonate', ['impersonate']],
  ['user:manage', ['disable', 'remove']],
])('the pages do not offer what needs %s if the superadmins do not have it', async (capability, missing) => {
  const scopes = await scopesOf({ capabilities: { superadmin: { [capability]: false } } });
  const offered = actionsOf(scopes, 'superadmin');
  expect(actionsOf(scopesIn(service.auth), 'superadmin').filter((one) => !offered.includes(one))).toEqual(
    missing,
  );
});

test('superadmins are offered recovery only for the users that the option allows', async () => {
  const scopes = await scopesOf({ capabilities: { superadmin: { 'user:recover': 'managed' } } });
  expect(actionsOf(scopes, 'superadmin', 'user')).toContain('recovery');
  expect(actionsOf(scopes, 'superadmin', 'admin')).not.toContain('recovery');
  expect(actionsOf(scopes, 'superadmin', 'admin')).toContain('sessions');
});

test('organization admins are not offered what the option removes', async () => {
  const scopes = await scopesOf({ capabilities: { user: { 'organization:delete': false } } });
  const mayDelete = (role: Role, myRole: string | null) =>
    reachesOrganization(scopeIn(scopes, role, 'organization:delete'), myRole);
  expect([mayDelete('user', 'admin'), mayDelete('admin', 'admin')]).toEqual([false, true]);
  const mayRename = (myRole: string | null) =>
    reachesOrganization(scopeIn(scopes, 'user', 'organization:update'), myRole);
  expect([mayRename('admin'), mayRename('user'), mayRename(null)]).toEqual([true, false, false]);
});

test('a page does not open for a role that has lost its capability', async () => {
  const scopes = await scopesOf({
    capabilities: { admin: { 'audit:read': false, 'user:read': false, 'user:invite': false } },
  });
  for (const capability of ['audit:read', 'user:read', 'user:invite'] as const)
    expect([capability, scopeIn(scopes, 'admin', capability)]).toEqual([capability, null]);
  expect(scopeIn(scopes, 'superadmin', 'audit:read')).toBe('any');
});

test('without organizations, admins can only invite users, and get no actions on users', async () => {
  const scopes = await scopesOf({ organizations: false });
  expect(scopes.admin).toEqual({ 'user:invite': 'any' });
  expect(actionsOf(scopes, 'admin')).toEqual([]);
});

test('the texts about roles follow the option `capabilities`', async () => {
  const scopes = scopesIn(service.auth);
  expect(rightPhrases(scopes, 'user')).toEqual(['invitation.rightSeeMembers']);
  expect(rightPhrases(scopes, 'admin')).toEqual([
    'invitation.rightSeeMembers',
    'invitation.rightInvite',
    'invitation.rightChangeRoles',
    'invitation.rightRemove',
    'invitation.rightRename',
    'invitation.rightDelete',
  ]);
  expect(rightPhrases(scopes, 'inviter', ['organization:members:invite'])).toEqual([
    'invitation.rightSeeMembers',
    'invitation.rightInvite',
  ]);
  expect(consequencesOf(scopes, 'user')).toEqual([
    'invitation.membersSeeYou',
    'invitation.adminsSeeChanges',
    'invitation.adminsRecoverAndEnd',
  ]);
  expect(consequencesOf(scopes, 'admin')).not.toContain('invitation.adminsRecoverAndEnd');

  const narrowed = await scopesOf({
    capabilities: {
      user: { 'organization:members:read': false, 'organization:delete': false },
      admin: { 'user:end_sessions': false, 'audit:read': false },
    },
  });
  expect(rightPhrases(narrowed, 'user')).toEqual([]);
  expect(rightPhrases(narrowed, 'admin')).not.toContain('invitation.rightDelete');
  expect(consequencesOf(narrowed, 'user')).toEqual(['invitation.adminsRecover']);
});

test('the hint of each role names what the settings allow', async () => {
  const settings = {
    capabilityScopes: scopesIn(service.auth),
    impersonation: false,
    hasAdminInvitations: true,
    signUpMode: 'open',
  };
  expect(roleHint('user', settings)).toBe('Can manage their own account.');
  expect(roleHint('admin', settings)).toBe(
    'Can also create organizations, invite users, see the members of their organizations, help the members of their organizations and see the activity in their organizations.',
  );
  expect(roleHint('superadmin', settings)).toMatch(
    /^Can also invite admins, .*disable and delete users, rename/,
  );
  const without = { ...settings, hasAdminInvitations: false, signUpMode: 'closed', impersonation: true };
  expect(roleHint('admin', without)).not.toContain('invite');
  expect(roleHint('superadmin', without)).not.toContain('invite');
  expect(roleHint('superadmin', without)).toContain('use the accounts of other users');
  const capabilityScopes = await scopesOf({ organizations: false });
  expect(roleHint('admin', { ...without, capabilityScopes })).toBe('Has no more rights than a member.');
});
