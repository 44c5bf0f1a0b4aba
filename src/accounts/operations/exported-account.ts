import type { Runtime } from '../../core/runtime.ts';
import { rfc3339 } from '../../db/timestamp.ts';
import { pendingLinkFromRow } from '../../recovery/link.ts';
import { readCodesStatusOf } from '../../recovery/operations/codes.ts';
import { type PendingLinkRow, selectPendingLink } from '../../recovery/store.ts';
import type { ExportedRow } from '../../users/store/export.ts';
import { type LastSignInRow, lastSignInFromRow, selectSignIns } from '../../users/store/sign-ins.ts';
import type { ExportedAccount } from '../user-export.ts';

/** The account of a user export. Also reads the last sign-in, the recovery codes and the recovery link. */
export async function exportedAccount(runtime: Runtime, row: ExportedRow): Promise<ExportedAccount> {
  const [signIn] = await runtime.db.query<LastSignInRow>(selectSignIns([row.user_id]));
  const [link] = await runtime.db.query<PendingLinkRow>(selectPendingLink(row.user_id));
  return {
    id: row.user_id,
    username: row.username,
    usernameSince: row.username_since && rfc3339(row.username_since),
    displayName: row.display_name,
    role: row.role,
    status: row.status,
    createdAt: rfc3339(row.user_created_at),
    deletedAt: row.deleted_at && rfc3339(row.deleted_at),
    userHandle: row.user_handle,
    lastSignIn: signIn ? lastSignInFromRow(signIn) : null,
    hasPassword: row.has_password,
    recoveryCodes: await readCodesStatusOf(runtime, row.user_id),
    recoveryLink: link ? withoutCreator(link) : null,
    fields: { ...row.fields, ...runtime.fields.readableBy('operator', row.fields) },
  };
}

/** The creator is another user. */
function withoutCreator(link: PendingLinkRow): ExportedAccount['recoveryLink'] {
  const { createdBy: _, ...times } = pendingLinkFromRow(link);
  return times;
}
