import { type AuditEvent, auditEventNames, sharedSignalsOf } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEventSchema } from '../../src/audit/conventions/event-schema.ts';
import { logIn, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { accept, admit, deleteUser, found, invite, signUpAs, usersPath } from './support/authority.ts';
import { faultsOf, publishedFaults } from './support/event-schema.ts';
import { foreignPasskey, importedUser, importOne } from './support/imports.ts';
import { patchOrganization } from './support/organizations.ts';
import { addPassword, logInByPassword, wrongPassword } from './support/passwords.ts';

let service: TestService;
let superadmin: Person;
let events: AuditEvent[];
beforeAll(async () => {
  const options = { bcryptCost: 4, usernames: { change: 'user' }, impersonation: true } as const;
  service = await startTestService(options);
  superadmin = await signUpAs(service, 'superadmin');
  await recordUnusualEvents();
  ({ events } = await service.auth.asOperator('ops').audit.list({ limit: 200 }));
});
afterAll(() => service.close());

/** Records the fields of `details` that most events do not have. */
async function recordUnusualEvents(): Promise<void> {
  const operator = service.auth.asOperator('ops');
  const person = await signUp(service);
  await addPassword(person.browser);
  const counting = await startSecondInstance(service, { auditBurstThreshold: 1, bcryptCost: 4 });
  for (let attempt = 0; attempt < 4; attempt++)
    await logInByPassword(counting.browser(), { username: person.username }, wrongPassword);
  await counting.close();
  await person.browser.put('/auth/account/username', { username: newUsername() });
  const username = newUsername();
  await superadmin.browser.put(`${usersPath}/${userIdOf(person)}/username`, { username });
  const support = service.browser();
  await logIn(support, superadmin.authenticator);
  await support.post(`${usersPath}/${userIdOf(person)}/impersonation`, { reason: 'Ticket 4711' });
  await operator.users.disable(username, { reason: 'Left the company' });
  const admin = await signUpAs(service, 'admin');
  const organization = await found(admin.browser);
  await patchOrganization(admin.browser, organization, { slug: `new-${organization.slug}` });
  await admit(admin.browser, organization, superadmin);
  await accept((await signUp(service)).browser, await invite(superadmin.browser));
  const passkey = await foreignPasskey();
  await importOne(service, importedUser({ userHandle: passkey.userHandle, passkeys: [passkey.record] }));
  await deleteUser(superadmin.browser, person);
  await operator.users.erase(userIdOf(person));
}

const userDisabled = (): AuditEvent => {
  const event = events.find((each) => each.event === 'user.disable');
  if (!event) throw new Error('no user was disabled');
  return structuredClone(event);
};

describe('the schema of audit events', () => {
  test('matches recorded events, including their details', () => {
    const seen = new Set(events.flatMap(({ details }) => Object.keys(details)));
    for (const field of [
      'movedInvitations',
      'statedReason',
      'sessionId',
      'slug',
      'passkeyIds',
      'events',
      'firstAt',
    ])
      expect(seen).toContain(field);
    expect(faultsOf(events)).toEqual([]);
  });

  test('describes each event name of the package', () => {
    const { $defs } = auditEventSchema() as { $defs: Record<string, { description: string }> };
    expect(Object.keys($defs)).toEqual([...auditEventNames]);
    for (const { description } of Object.values($defs)) expect(description).toMatch(/^[A-Z].+\.$/);
  });

  test('rejects a missing or unknown field of details, another type of target, and an impossible outcome', () => {
    const { details, ...rest } = userDisabled();
    expect(faultsOf([{ ...rest, details }])).toEqual([]);
    expect(faultsOf([{ ...rest, details: { ...details, color: 'red' } }])).not.toEqual([]);
    expect(faultsOf([{ ...rest, details: { statedReason: 4711 } }])).not.toEqual([]);
    expect(faultsOf([{ ...rest, details: {}, outcome: 'failure' }])).not.toEqual([]);
    expect(faultsOf([{ ...rest, details, target: { type: 'session', id: null, name: null } }])).not.toEqual(
      [],
    );
    expect(faultsOf([{ ...rest, details: { from: 90 }, event: 'user.change_role' }])).not.toEqual([]);
    expect(faultsOf([{ ...rest, details: {}, target: null, event: 'user.list' }])).not.toEqual([]);
  });

  test('in the package, accepts event names and fields of later versions, but no event with another structure', () => {
    const event = userDisabled();
    expect(publishedFaults({ ...event, details: { ...event.details, color: 'red' } })).toEqual([]);
    expect(publishedFaults({ ...event, event: 'robot.create' })).toEqual([]);
    expect(publishedFaults({ ...event, event: 'robot.create', count: 0 })).not.toEqual([]);
    const { outcome: _, ...withoutOutcome } = event;
    expect(publishedFaults({ ...withoutOutcome, event: 'robot.create' })).not.toEqual([]);
  });
});

describe('sharedSignalsOf', () => {
  test('returns the CAEP or RISC event type of a success', () => {
    expect(sharedSignalsOf(userDisabled())).toEqual([
      { type: 'https://schemas.openid.net/secevent/risc/event-type/account-disabled', claims: {} },
      { type: 'https://schemas.openid.net/secevent/caep/event-type/session-revoked', claims: {} },
    ]);
    expect(sharedSignalsOf({ event: 'password.remove', outcome: 'success' })).toEqual([
      {
        type: 'https://schemas.openid.net/secevent/caep/event-type/credential-change',
        claims: { credential_type: 'password', change_type: 'delete' },
      },
    ]);
  });

  test('returns only types of CAEP 1.0 and RISC 1.0 that are not deprecated, with values that these define', () => {
    const types = {
      caep: ['session-established', 'session-revoked', 'token-claims-change', 'credential-change'],
      risc: [
        'account-purged',
        'account-disabled',
        'account-enabled',
        'recovery-activated',
        'recovery-information-changed',
      ],
    };
    const uris = Object.entries(types).flatMap(([profile, names]) =>
      names.map((name) => `https://schemas.openid.net/secevent/${profile}/event-type/${name}`),
    );
    const signals = auditEventNames.flatMap((event) => sharedSignalsOf({ event, outcome: 'success' }));
    expect(new Set(signals.map(({ type }) => type))).toEqual(new Set(uris));
    for (const { type, claims } of signals) {
      const allowed = type.endsWith('/credential-change') ? ['change_type', 'credential_type'] : [];
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(claims)));
      if (allowed.length > 0) expect(['create', 'revoke', 'update', 'delete']).toContain(claims.change_type);
    }
  });

  test('returns the end of all sessions for a disabled or deleted account', () => {
    for (const event of ['user.disable', 'user.delete', 'account.delete', 'user.end_sessions'])
      expect(sharedSignalsOf({ event, outcome: 'success' }).map(({ type }) => type)).toContain(
        'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
      );
  });

  test('returns nothing for a refused attempt, for an unknown name, and for an event without a type', () => {
    for (const [event, outcome] of [
      ['user.disable', 'failure'],
      ['robot.create', 'success'],
      ['constructor', 'success'],
      ['audit.export', 'success'],
    ] as const)
      expect(sharedSignalsOf({ event, outcome })).toEqual([]);
  });

  test('returns a copy, which a caller can change', () => {
    const event = { event: 'user.enable', outcome: 'success' } as const;
    const before = structuredClone(sharedSignalsOf(event));
    sharedSignalsOf(event).pop();
    Object.assign(sharedSignalsOf(event)[0] ?? {}, { type: 'other' });
    expect(sharedSignalsOf(event)).toEqual(before);
  });
});
