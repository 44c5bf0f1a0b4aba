import type { OrganizationInvitationStatus, OrganizationRole, Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import {
  canInvite,
  type InvitingState,
  isUsable,
  mostPending,
  obstacleToAccepting,
  obstacleToDeclining,
  obstacleToInviting,
} from '../../src/organizations/invitations/rules.ts';

const roles: Role[] = ['user', 'admin', 'superadmin'];
const userStatuses: UserStatus[] = ['active', 'disabled'];
const membershipRoles: (OrganizationRole | null)[] = [null, 'user', 'admin'];
const statuses: OrganizationInvitationStatus[] = ['pending', 'accepted', 'declined', 'revoked', 'expired'];
const organizationId = 'acme';

const creatorWith = (role: Role, status: UserStatus, membershipRole: OrganizationRole | null) => ({
  id: 'ana',
  role,
  status,
  memberships: membershipRole === null ? [] : [{ organizationId, role: membershipRole }],
  organizationId,
});

const admin = creatorWith('user', 'active', 'admin');
const formerAdmin = creatorWith('user', 'active', 'user');

test('only operators, active superadmins and active organization admins can invite', () => {
  expect(canInvite(null)).toBe(true);
  for (const role of roles)
    for (const status of userStatuses)
      for (const membershipRole of membershipRoles) {
        const expected = status === 'active' && (role === 'superadmin' || membershipRole === 'admin');
        const creator = creatorWith(role, status, membershipRole);
        expect(canInvite(creator), `${role} ${status} ${membershipRole}`).toBe(expected);
      }
});

describe('the obstacle to inviting a user', () => {
  const invitee = { status: 'active', isMember: false, isInvited: false } as const;
  test.each<[state: InvitingState, obstacle: string | null]>([
    [{ invitee: null, pending: 0 }, null],
    [{ invitee, pending: 0 }, null],
    [{ invitee: null, pending: mostPending - 1 }, null],
    [{ invitee: null, pending: mostPending }, 'too_many_invitations'],
    [{ invitee, pending: mostPending + 1 }, 'too_many_invitations'],
    [{ invitee: undefined, pending: mostPending }, 'not_found'],
    [{ invitee: { ...invitee, status: 'disabled', isMember: true }, pending: 0 }, 'account_disabled'],
    [{ invitee: { ...invitee, isMember: true, isInvited: true }, pending: 0 }, 'already_a_member'],
    [{ invitee: { ...invitee, isInvited: true }, pending: mostPending }, 'already_invited'],
  ])('in the state %j is %s', (state, obstacle) => {
    expect(obstacleToInviting(state)).toBe(obstacle);
  });
});

describe.each(statuses)('an invitation with the status %s', (status) => {
  const isPending = status === 'pending';

  test('is usable only if the status is pending and the creator can still invite', () => {
    expect(isUsable({ status, creator: admin })).toBe(isPending);
    expect(isUsable({ status, creator: null })).toBe(isPending);
    expect(isUsable({ status, creator: formerAdmin })).toBe(false);
  });

  test('can be accepted only if it is usable, and only by a user who is not a member', () => {
    expect(obstacleToAccepting({ status, creator: admin, isMember: false })).toBe(
      isPending ? null : 'invitation_unusable',
    );
    expect(obstacleToAccepting({ status, creator: admin, isMember: true })).toBe(
      isPending ? 'already_a_member' : 'invitation_unusable',
    );
    expect(obstacleToAccepting({ status, creator: formerAdmin, isMember: true })).toBe('invitation_unusable');
  });
});

test('only a pending invitation can be declined', () => {
  expect(obstacleToDeclining('pending')).toBeNull();
  expect(obstacleToDeclining('accepted')).toBe('invitation_already_accepted');
  expect(obstacleToDeclining('revoked')).toBe('invitation_unusable');
  expect(obstacleToDeclining('expired')).toBe('invitation_unusable');
});
