import { sql } from '../../db/sql.ts';

/** Selects the number of passkeys of each user who has a passkey. */
export const countPasskeysByUser = sql`
  select passkeys.user_id, count(*) as passkeys from latchkey.passkeys group by passkeys.user_id`;
