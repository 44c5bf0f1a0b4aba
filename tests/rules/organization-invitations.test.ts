import type { OrganizationInvitationStatus, OrganizationRole, Role, UserStatus } from 'latchkey';
import { describe, expect, test } from 'vitest';
import {
  canInvite,
  type InvitingState,
  isUsable,
  obstacleToAccepting,
  obstacleToDeclining,
  obstacleToInviting,
} from '../../src/organizations/invitations/rules.ts';
import { builtInGrants } from '../../src/roles/grants.ts';

const roles: Role[] = ['user', 'admin', 'superadmin'];
const userStatuses: UserStatus[] = ['active', 'disabled'];
const membershipRoles: (OrganizationRole | null)[] = [null, 'user', 'admin'];
const statuses: OrganizationInvitationStatus[] = ['pending', 'accepted', 'declined', 'revoked', 'expired'];
const organizationId = 'acme';
const grants = builtInGrants;

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
  expect(canInvite(grants, null, 'admin')).toBe(true);
  for (const role of roles)
    for (const status of userStatuses)
      for (const membershipRole of membershipRoles) {
        const expected = status === 'active' && (role === 'superadmin' || membershipRole === 'admin');
        const creator = creatorWith(role, status, membershipRole);
        expect(canInvite(grants, creator, 'user'), `${role} ${status} ${membershipRole}`).toBe(expected);
      }
});

describe('the obstacle to inviting a user', () => {
  const invitee = { status: 'active', isMember: false, isInvited: false, received: 0 } as const;
  test.each<[state: InvitingState, obstacle: string | null]>([
    [{ invitee: null, pending: 0 }, null],
    [{ invitee, pending: 0 }, null],
    [{ invitee: null, pending: 99 }, null],
    [{ invitee: null, pending: 100 }, 'too_many_invitations'],
    [{ invitee, pending: 101 }, 'too_many_invitations'],
    [{ invitee: undefined, pending: 100 }, 'not_found'],
    [{ invitee: { ...invitee, status: 'disabled', isMember: true }, pending: 0 }, 'account_disabled'],
    [{ invitee: { ...invitee, isMember: true, isInvited: true }, pending: 0 }, 'already_a_member'],
    [{ invitee: { ...invitee, isInvited: true, received: 100 }, pending: 100 }, 'already_invited'],
    [{ invitee: { ...invitee, received: 99 }, pending: 99 }, null],
    [{ invitee: { ...invitee, received: 100 }, pending: 0 }, 'too_many_invitations'],
  ])('in the state %j is %s', (state, obstacle) => {
    expect(obstacleToInviting(state)).toBe(obstacle);
  });
});

describe.each(statuses)('an invitation with the status %s', (status) => {
  const isPending = status === 'pending';

  test('is usable only if the status is pending and the creator can still invite', () => {
    expect(isUsable(grants, { status, role: 'user', creator: admin })).toBe(isPending);
    expect(isUsable(grants, { status, role: 'user', creator: null })).toBe(isPending);
    expect(isUsable(grants, { status, role: 'user', creator: formerAdmin })).toBe(false);
  });

  test.each<[isMember: boolean, organizations: number, obstacle: string | null]>([
    [false, 0, null],
    [false, 99, null],
    [false, 100, 'too_many_organizations'],
    [true, 100, 'already_a_member'],
  ])(
    'and a user (a member: %s, organizations: %i): if the invitation is usable, the obstacle is %s',
    (isMember, organizations, obstacle) => {
      const user = { isMember, organizations };
      expect(obstacleToAccepting(grants, { status, role: 'user', creator: admin, ...user })).toBe(
        isPending ? obstacle : 'invitation_unusable',
      );
      expect(obstacleToAccepting(grants, { status, role: 'user', creator: formerAdmin, ...user })).toBe(
        'invitation_unusable',
      );
    },
  );
});

test('only a pending invitation can be declined', () => {
  expect(obstacleToDeclining('pending')).toBeNull();
  expect(obstacleToDeclining('accepted')).toBe('invitation_already_accepted');
  expect(obstacleToDeclining('revoked')).toBe('invitation_unusable');
  expect(obstacleToDeclining('expired')).toBe('invitation_unusable');
});
