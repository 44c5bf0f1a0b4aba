import type { InvitationStatus, Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { type InvitationStanding, isUsable, obstacleTo } from '../../src/invitations/rules.ts';

const superadmin = { role: 'superadmin', status: 'active' } as const;
const statuses: InvitationStatus[] = ['pending', 'accepted', 'revoked', 'expired'];
const roles: Role[] = ['user', 'admin', 'superadmin'];

describe('an invitation', () => {
  test.each(statuses)('that is %s is usable while pending alone', (status) => {
    expect(isUsable({ status, creator: superadmin })).toBe(status === 'pending');
    expect(isUsable({ status, creator: null })).toBe(status === 'pending');
  });

  test.each(
    roles.flatMap((role) =>
      (['active', 'disabled'] as UserStatus[]).map((status) => [status, role] as const),
    ),
  )('by an %s %s is usable while an active superadmin’s alone', (status, role) => {
    const may = status === 'active' && role === 'superadmin';
    expect(isUsable({ status: 'pending', creator: { role, status } })).toBe(may);
  });
});

describe('what keeps somebody from an invitation', () => {
  const open: InvitationStanding = { status: 'pending', role: 'admin', username: null, creator: superadmin };
  const fallen = { role: 'admin', status: 'active' } as const;

  test.each<[what: string, invitation: Partial<InvitationStanding>, role: Role, obstacle: string | null]>([
    ['is nothing for a user', {}, 'user', null],
    ['is nothing for the user it names', { username: 'ana' }, 'user', null],
    ['is nothing in one by an operator', { creator: null }, 'user', null],
    ['is the name of somebody else', { username: 'bea' }, 'user', 'invitation_for_another_user'],
    [
      'is another name, though it begins like theirs',
      { username: 'an' },
      'user',
      'invitation_for_another_user',
    ],
    ['is that it has been accepted', { status: 'accepted' }, 'user', 'invitation_unusable'],
    ['is that it has been revoked', { status: 'revoked' }, 'user', 'invitation_unusable'],
    ['is that it has expired', { status: 'expired' }, 'user', 'invitation_unusable'],
    ['is the fall of its maker', { creator: fallen }, 'user', 'invitation_unusable'],
    ['is that they are an admin', {}, 'admin', 'role_already_held'],
    ['is that they are a superadmin', {}, 'superadmin', 'role_already_held'],
    // In one order, so that nobody learns from a later reason what an earlier one keeps from them.
    [
      'is the name before all else',
      { username: 'bea', status: 'revoked' },
      'admin',
      'invitation_for_another_user',
    ],
    ['is its end before their role', { status: 'revoked' }, 'admin', 'invitation_unusable'],
  ])('%s', (_, invitation, role, obstacle) => {
    expect(obstacleTo({ ...open, ...invitation }, { username: 'ana', role })).toBe(obstacle);
  });
});
