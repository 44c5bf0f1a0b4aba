import type * as Server from 'latchkey';
import { roles as serverRoles } from 'latchkey';
import type * as Client from 'latchkey/client';
import { isAtLeast, roles } from 'latchkey/client';
import { expect, expectTypeOf, test } from 'vitest';

test('the types of the client are equal to the types of the service', () => {
  expectTypeOf<Client.User>().toEqualTypeOf<Server.User>();
  expectTypeOf<Client.NamedUser>().toEqualTypeOf<Server.NamedUser>();
  expectTypeOf<Client.Account>().toEqualTypeOf<Server.Account>();
  expectTypeOf<Client.Passkey>().toEqualTypeOf<Server.Passkey>();
  expectTypeOf<Client.Session>().toEqualTypeOf<Server.Session>();
  expectTypeOf<Client.UsernameAvailability>().toEqualTypeOf<Server.UsernameAvailability>();
  expectTypeOf<Client.PendingRecoveryLink>().toEqualTypeOf<Server.PendingRecoveryLink>();
  expectTypeOf<Client.RecoveryCodes>().toEqualTypeOf<Server.RecoveryCodes>();
  expectTypeOf<Client.RecoveryCodesStatus>().toEqualTypeOf<Server.RecoveryCodesStatus>();
  expectTypeOf<Client.RecoveryLink>().toEqualTypeOf<Server.RecoveryLink>();
  expectTypeOf<Client.Invitation>().toEqualTypeOf<Server.Invitation>();
  expectTypeOf<Client.CreatedInvitation>().toEqualTypeOf<Server.CreatedInvitation>();
  expectTypeOf<Client.InvitationPreview>().toEqualTypeOf<Server.InvitationPreview>();
  expectTypeOf<Client.Organization>().toEqualTypeOf<Server.Organization>();
  expectTypeOf<Client.Member>().toEqualTypeOf<Server.Member>();
  expectTypeOf<Client.UserOrganization>().toEqualTypeOf<Server.UserOrganization>();
  expectTypeOf<Client.OrganizationInvitation>().toEqualTypeOf<Server.OrganizationInvitation>();
  expectTypeOf<Client.CreatedOrganizationInvitation>().toEqualTypeOf<Server.CreatedOrganizationInvitation>();
  expectTypeOf<Client.OrganizationInvitationPreview>().toEqualTypeOf<Server.OrganizationInvitationPreview>();
  expectTypeOf<Client.AuditEvent>().toEqualTypeOf<Server.AuditEvent>();
  expectTypeOf<Client.Page<'users', Client.User>>().toEqualTypeOf<Server.Page<'users', Server.User>>();
});

test('the roles of the client are the roles of the service, lowest first', () => {
  expect(roles).toEqual(serverRoles);
  const pairs = roles.flatMap((role) => roles.map((minimum) => [role, minimum] as const));
  expect(pairs.filter(([role, minimum]) => isAtLeast(role, minimum))).toEqual([
    ['user', 'user'],
    ['admin', 'user'],
    ['admin', 'admin'],
    ['superadmin', 'user'],
    ['superadmin', 'admin'],
    ['superadmin', 'superadmin'],
  ]);
});
