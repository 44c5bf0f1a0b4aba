import type { Runtime } from '../core/runtime.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { PendingRecoveryLink, RecoveryLink } from './recovery.ts';
import type { PendingLinkRow } from './store.ts';

/** How long a recovery link can be used, once it is usable. */
export const linkLifetimeSeconds = 60 * 60;

/** What the statement that stores a link returns of it. */
export interface StoredLinkRow {
  usable_at: Timestamp;
  expires_at: Timestamp;
}

/** A new link with its token, which is shown once. */
export const recoveryLink = ({ config }: Runtime, token: string, row: StoredLinkRow): RecoveryLink => ({
  token,
  url: `${config.recoveryPage}#token=${token}`,
  usableAt: rfc3339(row.usable_at),
  expiresAt: rfc3339(row.expires_at),
});

/** The link as the user it is for sees it. */
export const pendingLinkFromRow = (row: PendingLinkRow): PendingRecoveryLink => ({
  createdBy:
    row.link_maker_id === null || row.link_maker_name === null
      ? null
      : { id: row.link_maker_id, username: row.link_maker_name },
  createdAt: rfc3339(row.link_created_at),
  usableAt: rfc3339(row.link_usable_at),
  expiresAt: rfc3339(row.link_expires_at),
  usedAt: row.link_used_at && rfc3339(row.link_used_at),
});
