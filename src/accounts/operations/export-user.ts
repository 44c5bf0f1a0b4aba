import { type AuditEvent, eventFromRow } from '../../audit/event.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import {
  type AuditEventRow,
  type AuditRange,
  selectEvents,
  selectEventsNaming,
} from '../../audit/store/events.ts';
import { recordEvent } from '../../audit/store.ts';
import { isOperator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, type Sql, sql } from '../../db/sql.ts';
import { rfc3339 } from '../../db/timestamp.ts';
import { type MembershipToExportRow, selectMembershipsToExport } from '../../organizations/store/export.ts';
import {
  type PasskeyToExportRow,
  passkeyFromRow,
  selectToExport as selectPasskeys,
} from '../../passkeys/store.ts';
import { type ImportedOriginRow, selectOriginsOf } from '../../provisioning/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { type SessionRow, sessionFromRow } from '../../sessions/store/session-row.ts';
import { selectByImpersonator, selectByUser } from '../../sessions/store.ts';
import {
  type ExportedRow,
  type HeldUsernameRow,
  selectHeldToExport,
  selectToExport,
} from '../../users/store/export.ts';
import { type ExportedUser, exportedEvent, exportedPasskey, exportedSession } from '../exported-event.ts';
import type { ExportedAttestation, UserRecord } from '../user-export.ts';
import { exportCreatedOrganizations } from './export-created-organizations.ts';
import { exportInvitations } from './export-invitations.ts';
import { exportedAccount } from './exported-account.ts';

const batch = 1000;

/**
 * Exports everything about a user, except secrets. Records the export before it reads the first record.
 *
 * @throws AuthError `not_found` if no user has the id, or if the user is erased
 */
export async function exportUser(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  userId: string,
): Promise<AsyncIterable<UserRecord>> {
  if (!isOperator(by.actor)) throw new AuthError('forbidden');
  const [row] = isUuid(userId) ? await runtime.db.query<ExportedRow>(selectToExport(userId)) : [];
  if (!row) throw new AuthError('not_found');
  const event = 'user.export';
  const target = { type: 'user', id: row.user_id, name: row.username } as const;
  const [entry] = await runtime.db.query<{ id: string }>(sql`
    with entitled as (${by.stillEntitled}),
      entry as (${recordEvent(by.actor, { event, outcome: 'success', target }, from('entitled'))})
    select id from entry`);
  if (!entry) return refuseUnentitled(runtime, by, { event, target });
  return recordsOf(runtime, row, entry.id);
}

async function* recordsOf(runtime: Runtime, row: ExportedRow, upTo: string): AsyncGenerator<UserRecord> {
  const { db } = runtime;
  const id = row.user_id;
  yield { type: 'account', ...(await exportedAccount(runtime, row)) };
  const held = await db.query<HeldUsernameRow>(selectHeldToExport(id));
  for (const { username, held_at } of held)
    yield { type: 'earlier_username', username, until: rfc3339(held_at) };
  for (const passkey of await db.query<PasskeyToExportRow>(selectPasskeys(id)))
    yield {
      type: 'passkey',
      ...exportedPasskey(passkeyFromRow(passkey, null)),
      credentialId: passkey.credential_id,
      publicKey: passkey.public_key,
      counter: Number(passkey.counter),
      userHandle: passkey.user_handle,
      attestation: attestationOf(passkey),
    };
  const usernames = new Set(
    [row.username, ...held.map(({ username }) => username)].filter((name) => name !== null),
  );
  const user = { id, usernames };
  // Also exports impersonated sessions that are unusable because the option `impersonation` is off.
  for (const selecting of [selectByUser(id), selectByImpersonator(id)])
    for (const session of await db.query<SessionRow>(selecting))
      yield { type: 'session', ...exportedSession(sessionFromRow(session, null), user) };
  for (const membership of await db.query<MembershipToExportRow>(selectMembershipsToExport(id)))
    yield {
      type: 'membership',
      organization: { id: membership.organization_id, name: membership.name, slug: membership.slug },
      role: membership.member_role,
      joinedAt: rfc3339(membership.joined_at),
    };
  yield* exportCreatedOrganizations(runtime, id);
  for (const origin of await db.query<ImportedOriginRow>(selectOriginsOf(id)))
    yield { type: 'import', source: origin.source, sourceId: origin.source_id };
  yield* exportInvitations(runtime, user);
  for await (const event of eventsOf(runtime, user, upTo)) yield { type: 'audit_event', ...event };
}

const attestationOf = (passkey: PasskeyToExportRow): ExportedAttestation | null =>
  passkey.attestation_format === null
    ? null
    : {
        format: passkey.attestation_format,
        root: passkey.attestation_root,
        certification: passkey.certification,
        certificates: passkey.attestation_certificates,
      };

type ExportedEvent = ReturnType<typeof exportedEvent>;

/**
 * Four parts, so that each part can use an index: by the user, by the user as other users, about the user, with only the
 * user's name.
 */
async function* eventsOf(runtime: Runtime, user: ExportedUser, upTo: string): AsyncGenerator<ExportedEvent> {
  const { id, usernames } = user;
  const isByUser = ({ actor, impersonator }: AuditEvent) => actor.id === id || impersonator?.id === id;
  const read = (select: (range: AuditRange) => Sql, isLeftOut: (event: AuditEvent) => boolean) =>
    readAll(runtime, select, upTo, (event) => (isLeftOut(event) ? null : exportedEvent(event, user)));

  yield* read(
    (range) => selectEvents({ actorId: id }, range),
    () => false,
  );
  yield* read(
    (range) => selectEvents({ impersonatorId: id }, range),
    () => false,
  );
  yield* read((range) => selectEvents({ targetId: id }, range), isByUser);
  for (const username of usernames) yield* read((range) => selectEventsNaming(username, id, range), isByUser);
}

async function* readAll(
  { db }: Runtime,
  select: (range: AuditRange) => Sql,
  upTo: string,
  convert: (event: AuditEvent) => ExportedEvent | null,
): AsyncGenerator<ExportedEvent> {
  let after: string | undefined;
  for (;;) {
    const rows = await db.query<AuditEventRow>(select({ order: 'oldest_first', after, upTo, limit: batch }));
    for (const row of rows) {
      const event = convert(eventFromRow(row));
      if (event) yield event;
    }
    if (rows.length < batch) return;
    after = rows.at(-1)?.id;
  }
}
