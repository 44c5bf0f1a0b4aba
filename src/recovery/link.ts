import type { Runtime } from '../core/runtime.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { PendingRecoveryLink, RecoveryLink } from './recovery.ts';
import type { PendingLinkRow } from './store.ts';

/** How long a recovery link is usable after `usableAt`. */
export const linkLifetimeSeconds = 60 * 60;

/** The columns that `putLink` returns. */
export interface StoredLinkRow {
  usable_at: Timestamp;
  expires_at: Timestamp;
}

/** A new link as the API returns it. The token is shown only once. */
export const recoveryLink = ({ config }: Runtime, token: string, row: StoredLinkRow): RecoveryLink => ({
  token,
  url: `${config.recoveryPage}#token=${token}`,
  usableAt: rfc3339(row.usable_at),
  expiresAt: rfc3339(row.expires_at),
});

/** The recovery link of an account, as its user sees it. */
export const pendingLinkFromRow = (row: PendingLinkRow): PendingRecoveryLink => ({
  createdBy:
    row.link_creator_id === null || row.link_creator_name === null
      ? null
      : { id: row.link_creator_id, username: row.link_creator_name },
  createdAt: rfc3339(row.link_created_at),
  usableAt: rfc3339(row.link_usable_at),
  expiresAt: rfc3339(row.link_expires_at),
  usedAt: row.link_used_at && rfc3339(row.link_used_at),
});
