import { expect, expectTypeOf, test } from 'vitest';
import { changeRole } from '../../src/accounts/operations/change-role.ts';
import type { deleteUser } from '../../src/accounts/operations/delete-user.ts';
import type { listEvents } from '../../src/audit/operations/read-events.ts';
import type { authorize } from '../../src/authorization/authorize.ts';
import type { Operator, SignedInActor } from '../../src/core/actor.ts';
import type { Runtime } from '../../src/core/runtime.ts';
import { createInvitation, createUserInvitation } from '../../src/invitations/operations/create.ts';
import type { addMember, removeMember } from '../../src/organizations/operations/members.ts';
import type { Capability } from '../../src/roles/capabilities.ts';
import type { Entitled } from '../../src/roles/entitled.ts';

// The type check verifies this file, because an unused @ts-expect-error is a compile error. No test calls the
// functions.
declare const runtime: Runtime;
declare const signedIn: SignedInActor;
declare const operator: Operator;
declare const manage: Entitled<'invitation:manage'>;
declare const forged: Pick<Entitled<Capability>, 'actor' | 'reach' | 'stillEntitled' | 'stillSignedIn'>;

declare const invite: Entitled<'user:invite'>;

const request = { expiresInHours: 72 };

const calls = [
  () => createInvitation(runtime, manage, request),
  // @ts-expect-error: a signed-in user is no proof
  () => createInvitation(runtime, signedIn, request),
  // @ts-expect-error: an operator is no proof, and must create a proof first
  () => createInvitation(runtime, operator, request),
  // @ts-expect-error: the properties of a proof without its type brand
  () => createInvitation(runtime, forged, request),
  () => createUserInvitation(runtime, invite, request),
  // @ts-expect-error: the right to invite users gives no right to invite admins
  () => createInvitation(runtime, invite, request),
  // @ts-expect-error: the proof of another capability
  () => changeRole(runtime, manage, 'id', 'admin'),
];

test('this file contains the seven calls that the compiler checks', () => {
  expect(calls).toHaveLength(7);
});

test('operations accept only a proof, not an actor or an operator', () => {
  type Actors = SignedInActor | Operator;
  expectTypeOf<Actors>().not.toExtend<Parameters<typeof createInvitation>[1]>();
  expectTypeOf<Actors>().not.toExtend<Parameters<typeof deleteUser>[1]>();
  expectTypeOf<Actors>().not.toExtend<Parameters<typeof addMember>[1]>();
  expectTypeOf<Actors>().not.toExtend<Parameters<typeof removeMember>[1]>();
  expectTypeOf<Actors>().not.toExtend<Parameters<typeof listEvents>[1]>();
});

test('authorize returns the proof of the requested capability', () => {
  expectTypeOf<Awaited<ReturnType<typeof authorize<'invitation:manage'>>>>().toEqualTypeOf<
    Entitled<'invitation:manage'>
  >();
  expectTypeOf<Parameters<typeof addMember>[1]>().toEqualTypeOf<
    Awaited<ReturnType<typeof authorize<'organization:members:add'>>>
  >();
});
