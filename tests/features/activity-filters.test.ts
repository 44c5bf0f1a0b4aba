import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  exportAudit,
  exportPath,
  type GivenEvent,
  idsOn,
  insertEvents,
  listAudit,
  setJoined,
} from './support/activity.ts';
import { auditPath, found, signUpAs, signUpMember } from './support/authority.ts';

const instants = [
  '2001-01-01T00:00:00.000Z',
  '2001-01-01T00:00:00.001Z',
  '2001-01-02T00:00:00.000Z',
] as const;
const [first, second, third] = instants;

let service: TestService;
let superadmin: Person;
let admin: Person;
let member: Person;
let stranger: Person;
let organization: { id: string };
let otherOrganization: { id: string };
let log: AuditEvent[];

type Filter = Record<string, string | undefined>;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  admin = await signUpAs(service, 'admin');
  organization = await found(admin.browser);
  otherOrganization = await found(superadmin.browser);
  member = await signUpMember(service, admin.browser, organization);
  stranger = await signUp(service);
  await setJoined(service, organization, member, second);
  await insertEvents(service, everyCombination());
  log = (await exportAudit(superadmin.browser)).events;
});
afterAll(() => service.close());

/** One event for each combination of values that a filter can match. */
function everyCombination(): GivenEvent[] {
  const people = [userIdOf(member), userIdOf(stranger)];
  return ['passkey.login', 'passkey.add', 'member.add'].flatMap((event) =>
    (['success', 'failure'] as const).flatMap((outcome) =>
      people.flatMap((actorId) =>
        people.flatMap((targetId) =>
          [null, organization.id, otherOrganization.id].flatMap((organizationId) =>
            instants.map((at) => ({ event, outcome, actorId, targetId, organizationId, at })),
          ),
        ),
      ),
    ),
  );
}

/** Whether an event matches the filter. Computed without SQL, for comparison with the responses. */
const matches =
  ({ event, outcome, actorId, targetId, organizationId, from, to }: Filter) =>
  (entry: AuditEvent): boolean =>
    (event === undefined || (event.endsWith('.') ? entry.event.startsWith(event) : entry.event === event)) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (actorId === undefined || entry.actor.id === actorId) &&
    (targetId === undefined || entry.target?.id === targetId) &&
    (organizationId === undefined || entry.organizationId === organizationId) &&
    (from === undefined || Date.parse(entry.at) >= Date.parse(from)) &&
    (to === undefined || Date.parse(entry.at) < Date.parse(to));

/** The admin sees the events of the organization. Events about the member must not be older than the membership. */
function isOfAdmin({ organizationId, actor, target, at }: AuditEvent): boolean {
  const isAboutMember = [actor.id, target?.id].includes(userIdOf(member));
  return organizationId === organization.id && (!isAboutMember || Date.parse(at) >= Date.parse(second));
}

/** Returns every combination of the parameters. In a combination, a parameter is absent or has one value. */
const combinationsOf = (values: Record<string, string[]>): Filter[] =>
  Object.entries(values).reduce<Filter[]>(
    (filters, [name, choices]) =>
      filters.flatMap((filter) => [filter, ...choices.map((choice) => ({ ...filter, [name]: choice }))]),
    [{}],
  );

describe.each([
  ['a superadmin', () => superadmin, () => true],
  ['an admin', () => admin, isOfAdmin],
] as const)('for %s', (_, reader, mayBeSeenBy) => {
  test('every combination of filters returns exactly the events that match every filter, newest first', async () => {
    const filters = combinationsOf({
      event: ['passkey.add', 'passkey.'],
      outcome: ['failure'],
      actorId: [userIdOf(member)],
      targetId: [userIdOf(member)],
      organizationId: [organization.id],
      from: [second],
      to: [third],
    });
    expect(filters).toHaveLength(192);
    // `to` excludes the events that the setup writes, such as sign-ups.
    const bounded = filters.map((filter) => ({ to: '2002-01-01T00:00:00Z', ...filter }));
    const expected = bounded.map((filter) => log.filter(mayBeSeenBy).filter(matches(filter)).reverse());
    expect(expected.filter((events) => events.length === 0)).toEqual([]);
    const shown = await together(bounded.map((filter) => () => firstOf(reader(), filter)));
    for (const [index, filter] of bounded.entries()) {
      expect({ filter, events: shown[index] }).toEqual({ filter, events: expected[index]?.slice(0, 200) });
    }
  });

  test('an export contains what the list shows, oldest first', async () => {
    for (const filter of [{}, { event: 'passkey.' }, { actorId: userIdOf(member), outcome: 'failure' }]) {
      const bounded = { ...filter, to: '2002-01-01T00:00:00Z' };
      const { events } = await exportAudit(reader().browser, bounded);
      expect(events).toEqual(log.filter(mayBeSeenBy).filter(matches(bounded)));
    }
  });
});

const firstOf = async ({ browser }: Person, filter: Filter): Promise<AuditEvent[]> =>
  (await listAudit(browser, { limit: 200, ...filter })).body.events;

describe('a filter', () => {
  const ids = (filter: Filter) => idsOn(superadmin.browser, filter);

  test('by the event prefix `recovery.` matches `recovery.complete`, but not `recovery_code.use`', async () => {
    const recent = { from: '2020-01-01T00:00:00Z' };
    await insertEvents(
      service,
      ['recovery.complete', 'recovery_code.use', 'recovery_link.use'].map((event) => ({
        event,
        at: '2021-01-01T00:00:00Z',
      })),
    );
    const namesOf = async (event: string) =>
      new Set((await firstOf(superadmin, { event, ...recent })).map((entry) => entry.event));
    expect(await namesOf('recovery.')).toEqual(new Set(['recovery.complete']));
    expect(await namesOf('recovery_code.')).toEqual(new Set(['recovery_code.use']));
    expect(await namesOf('organization.')).toEqual(new Set(['organization.create']));
  });

  test('by time accepts every time zone and precision', async () => {
    const at = [userIdOf(stranger), third] as const;
    const from = (time: string) => ids({ actorId: at[0], to: '2002-01-01T00:00:00Z', from: time });
    const expected = await from(third);
    expect(expected).toHaveLength(36);
    for (const same of [
      '2001-01-02T01:00:00+01:00',
      '2001-01-01T19:30:00-04:30',
      '2001-01-02t00:00:00z',
      '2001-01-02T00:00:00.000000Z',
    ]) {
      expect(await from(same)).toEqual(expected);
    }
  });

  test('with the shown time of an event as `from` includes the event, and with the same time as `to` excludes the event', async () => {
    const at = '2003-05-05T05:05:05.123456Z';
    const [id = ''] = await insertEvents(service, [{ at }]);
    const shown = '2003-05-05T05:05:05.123Z';
    expect(await ids({ from: shown, to: '2003-06-01T00:00:00Z' })).toEqual([id]);
    expect(await ids({ to: shown, from: '2003-05-05T00:00:00Z' })).toEqual([]);
  });

  test('that matches no event, or has `from` after `to`, returns an empty list', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000';
    for (const filter of [
      { actorId: unknown },
      { targetId: unknown },
      { organizationId: unknown },
      { event: 'passkey.clone_suspected' },
      { from: third, to: first },
      { from: first, to: first },
    ]) {
      expect((await listAudit(superadmin.browser, filter)).body).toEqual({ events: [], nextCursor: null });
    }
  });
});

const unknownEvent = 'expected an event name, or an event prefix that ends with a dot';
const noId = 'expected a UUID';
const noTime = 'expected an RFC 3339 time in 1970 or later';
const noOutcome = 'expected "success" or "failure"';
const noMember = 'this property is unknown';

describe.each([
  ['list', () => auditPath],
  ['export', () => exportPath],
])('the %s rejects', (_, path) => {
  test.each([
    ['event=passkey', 'event', unknownEvent],
    ['event=passkey.logi', 'event', unknownEvent],
    ['event=login', 'event', unknownEvent],
    ['event=passkey.%25', 'event', unknownEvent],
    ['event=pass.', 'event', unknownEvent],
    ['event=.', 'event', unknownEvent],
    ['event=', 'event', unknownEvent],
    ['event=Passkey.', 'event', unknownEvent],
    ['event=passkey.&event=member.', 'event', 'expected a single event name'],
    ['outcome=refused', 'outcome', noOutcome],
    ['outcome=', 'outcome', noOutcome],
    ['outcome=success&outcome=failure', 'outcome', noOutcome],
    ['actorId=ada', 'actorId', noId],
    ['actorId=', 'actorId', noId],
    ['targetId=x', 'targetId', noId],
    ['targetId=00000000-0000-7000-8000-000000000000&targetId=x', 'targetId', 'expected a single id'],
    ['organizationId=acme', 'organizationId', noId],
    ['from=yesterday', 'from', noTime],
    ['from=2026-01-01', 'from', noTime],
    ['from=2026-01-01T00:00:00', 'from', noTime],
    ['from=1700000000', 'from', noTime],
    ['from=2026-13-01T00:00:00Z', 'from', noTime],
    ['from=1969-12-31T23:59:59Z', 'from', noTime],
    ['from=infinity', 'from', noTime],
    ['to=2026-01-01T25:00:00Z', 'to', noTime],
    ['to=', 'to', noTime],
    ['to=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z', 'to', 'expected a single time'],
    ['role=admin', 'role', noMember],
    ['actor=00000000-0000-7000-8000-000000000000', 'actor', noMember],
  ])('?%s', async (query, path_, message) => {
    const answer = await superadmin.browser.get(`${path()}?${query}`);
    expectProblem(answer, 'invalid_request', { errors: [{ path: path_, message }] });
  });

  test('several invalid parameters in one response that names each of them', async () => {
    const { body } = await superadmin.browser.get(`${path()}?event=x&actorId=y&from=z`);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(['event', 'actorId', 'from']);
  });
});

test('an export with an invalid filter writes no audit event', async () => {
  const before = await service.auditRows();
  await superadmin.browser.get(`${exportPath}?event=x`);
  expect(await service.auditRows()).toEqual(before);
});
