import type { InvitationStatus, InvitedRole, Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import {
  type InvitationRules,
  type InvitationState,
  isUsable,
  obstacleToAccepting,
} from '../../src/invitations/rules.ts';
import { builtInGrants } from '../../src/roles/grants.ts';

const rules: InvitationRules = {
  grants: builtInGrants,
  config: { adminInvitations: true },
};
const superadmin = { role: 'superadmin', status: 'active' } as const;
const statuses: InvitationStatus[] = ['pending', 'accepted', 'revoked', 'expired'];
const roles: Role[] = ['user', 'admin', 'superadmin'];

describe('an invitation', () => {
  test.each(statuses)('is usable only if its status is pending (here: %s)', (status) => {
    for (const role of ['user', 'admin'] as const) {
      expect(isUsable(rules, { status, role, creator: superadmin })).toBe(status === 'pending');
      expect(isUsable(rules, { status, role, creator: null })).toBe(status === 'pending');
    }
  });

  test.each(
    roles.flatMap((role) =>
      (['active', 'disabled'] as UserStatus[]).map((status) => [status, role] as const),
    ),
  )('is usable only if its creator is still active and may create it (here: %s %s)', (status, role) => {
    const usable = (invited: InvitedRole) =>
      isUsable(rules, { status: 'pending', role: invited, creator: { role, status } });
    expect(usable('admin')).toBe(status === 'active' && role === 'superadmin');
    expect(usable('user')).toBe(status === 'active' && role !== 'user');
  });
});

test('if admin invitations are off, an admin invitation is unusable, and a user invitation is usable', () => {
  const without: InvitationRules = { ...rules, config: { adminInvitations: false } };
  for (const creator of [superadmin, null]) {
    expect(isUsable(without, { status: 'pending', role: 'admin', creator })).toBe(false);
    expect(isUsable(without, { status: 'pending', role: 'user', creator })).toBe(true);
  }
});

describe('accepting an invitation', () => {
  const open: InvitationState = { status: 'pending', role: 'admin', username: null, creator: superadmin };
  const demoted = { role: 'admin', status: 'active' } as const;

  test.each<[what: string, invitation: Partial<InvitationState>, role: Role, obstacle: string | null]>([
    ['is allowed for a user', {}, 'user', null],
    ['is allowed for the named user', { username: 'ana' }, 'user', null],
    ['is allowed if an operator created the invitation', { creator: null }, 'user', null],
    ['fails if it is for another user', { username: 'bea' }, 'user', 'invitation_for_another_user'],
    ['fails if it is for part of the username', { username: 'an' }, 'user', 'invitation_for_another_user'],
    ['fails if it was already accepted', { status: 'accepted' }, 'user', 'invitation_unusable'],
    ['fails if it was revoked', { status: 'revoked' }, 'user', 'invitation_unusable'],
    ['fails if it has expired', { status: 'expired' }, 'user', 'invitation_unusable'],
    ['fails if its creator was demoted', { creator: demoted }, 'user', 'invitation_unusable'],
    ['fails for an admin', {}, 'admin', 'role_already_held'],
    ['fails for a superadmin', {}, 'superadmin', 'role_already_held'],
    // The username is checked first, so other users learn nothing about the invitation's status.
    [
      'checks the username before the invitation’s status',
      { username: 'bea', status: 'revoked' },
      'admin',
      'invitation_for_another_user',
    ],
    [
      'checks the invitation’s status before the user’s role',
      { status: 'revoked' },
      'admin',
      'invitation_unusable',
    ],
  ])('%s', (_, invitation, role, obstacle) => {
    expect(obstacleToAccepting(rules, { ...open, ...invitation }, { username: 'ana', role })).toBe(obstacle);
  });
});
