import type { Runtime } from '../core/runtime.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import type { RecoveryLink } from './recovery.ts';

export const linkLifetimeSeconds = 60 * 60;

/** A link by its token, for the one time that it is shown. */
export const recoveryLink = ({ config }: Runtime, token: string, expiresAt: Timestamp): RecoveryLink => ({
  token,
  url: `${config.recoveryPage}#token=${token}`,
  expiresAt: rfc3339(expiresAt),
});
