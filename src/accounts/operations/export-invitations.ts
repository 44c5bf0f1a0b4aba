import { usernameFreeSince } from '../../audit/store/events.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Sql } from '../../db/sql.ts';
import { rfc3339, type Timestamp } from '../../db/timestamp.ts';
import { type InvitationRow, type Involved, selectInvolving } from '../../invitations/store.ts';
import {
  involvedAs,
  type OwnRow,
  selectInvolving as selectInvolvingIn,
} from '../../organizations/invitations/store.ts';
import type { OrganizationRow } from '../../organizations/store.ts';
import type { ExportedUser } from '../exported-event.ts';
import type { Involvement, UserRecord } from '../user-export.ts';

const batch = 1000;

/** An id before every other id (RFC 9562, 5.9). */
const firstId = '00000000-0000-0000-0000-000000000000';

interface Row<Invited, Status> {
  invitation_id: string;
  invited_role: Invited;
  invitation_status: Status;
  invitation_created_at: Timestamp;
  invitation_expires_at: Timestamp;
  accepted_at: Timestamp | null;
}

const fromRow = <Invited, Status>(row: Row<Invited, Status>, involvement: Involvement) => ({
  id: row.invitation_id,
  involvement,
  role: row.invited_role,
  status: row.invitation_status,
  createdAt: rfc3339(row.invitation_created_at),
  expiresAt: rfc3339(row.invitation_expires_at),
  acceptedAt: row.accepted_at && rfc3339(row.accepted_at),
});

/** Reads the invitations that a user created, received and accepted: to the service, then to organizations. */
export async function* exportInvitations(runtime: Runtime, user: ExportedUser): AsyncGenerator<UserRecord> {
  const { id, usernames } = user;
  const received = [...usernames].map((username) => ({
    username,
    since: usernameFreeSince(username, id),
    exceptAcceptor: id,
  }));
  const parts: [Involvement, Involved][] = [
    ['creator', { creatorId: id }],
    ...received.map((involved): [Involvement, Involved] => ['invitee', involved]),
    ['acceptor', { acceptorId: id }],
  ];
  for (const [involvement, involved] of parts) {
    const select = (after: string) => selectInvolving(involved, { after, limit: batch });
    for await (const row of readAll<InvitationRow>(runtime, select))
      yield { type: 'invitation', ...fromRow(row, involvement) };
  }
  for (const [involvement, conditions] of Object.entries(involvedAs(id)) as [Involvement, Sql[]][])
    for (const condition of conditions) {
      const select = (after: string) => selectInvolvingIn(condition, { after, limit: batch });
      for await (const row of readAll<OwnRow & OrganizationRow>(runtime, select))
        yield {
          type: 'organization_invitation',
          ...fromRow(row, involvement),
          organization: { id: row.organization_id, name: row.name, slug: row.slug },
        };
    }
}

async function* readAll<Found extends { invitation_id: string }>(
  { db }: Runtime,
  select: (after: string) => Sql,
): AsyncGenerator<Found> {
  let after = firstId;
  for (;;) {
    const rows = await db.query<Found>(select(after));
    yield* rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?.invitation_id ?? firstId;
  }
}
