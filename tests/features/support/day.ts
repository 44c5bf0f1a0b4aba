import type Koa from 'koa';
import type { AuditRow, TestService } from '../../support/test-service.ts';

/** An audit row with its id, time and organization. */
export type DayRow = AuditRow & { id: string; at: Date; organization_id: string | null };

/** Collects every secret that the server sends: cookies, challenges, recovery codes and tokens. */
export function hearSecrets(app: Koa, secrets: Set<string>): void {
  app.use(async (ctx, next) => {
    await next();
    const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
    for (const cookie of cookies) keep(secrets, /=([^;]*)/.exec(cookie)?.[1]);
    const {
      options,
      codes = [],
      recoveryCodes,
      token,
    } = (ctx.body ?? {}) as {
      options?: { challenge: string };
      codes?: string[];
      recoveryCodes?: { codes: string[] } | null;
      token?: string;
    };
    const shown = [options?.challenge, token, ...codes, ...(recoveryCodes?.codes ?? [])];
    for (const secret of shown) keep(secrets, secret);
  });
}

function keep(secrets: Set<string>, secret: string | undefined): void {
  // A deleted cookie has no value.
  if (secret) secrets.add(secret);
}

/**
 * Collects every secret in the database: credential ids, keys and hashes. No audit row may contain a secret.
 */
export async function addStoredSecrets({ database }: TestService, secrets: Set<string>): Promise<void> {
  const rows = await database.sql<{ secret: string | null }[]>`
    select unnest(array[credential_id, public_key]) as secret from latchkey.passkeys
    union all select unnest(array[user_handle, password_hash]) from latchkey.users
    union all select token_hash from latchkey.sessions
    union all select token_hash from latchkey.invitations
    union all select token_hash from latchkey.organization_invitations
    union all select token_hash from latchkey.recovery_links
    union all select token_hash from latchkey.impersonation_links
    union all select code_hash from latchkey.recovery_codes
    union all select nonce from latchkey.spent_challenges`;
  for (const { secret } of rows) keep(secrets, secret ?? undefined);
}

/** Adds the names of all rows to `names`, by id. Names that are already in `names` do not change. */
export async function addNames({ database }: TestService, names: Map<string, string>): Promise<void> {
  const rows = await database.sql<{ id: string; name: string }[]>`
    select id, username as name from latchkey.users
    union all select id, label from latchkey.passkeys
    union all select id, slug from latchkey.organizations
    union all select id, name from latchkey.webhooks
    union all select id, 'for ' || coalesce(username, 'anybody') from latchkey.invitations
    union all select organization_invitations.id, 'for ' || coalesce(username, 'anybody')
      from latchkey.organization_invitations left join latchkey.users on users.id = user_id
    union all select sessions.id, 'of ' || username
      from latchkey.sessions join latchkey.users on users.id = user_id`;
  for (const { id, name } of rows) names.set(id, names.get(id) ?? name);
}

/** Adds the users that each resource concerns: the owner, the invited user, or all members. */
export async function addConcerned(
  { database }: TestService,
  concerned: Map<string, Set<string>>,
): Promise<void> {
  const rows = await database.sql<{ id: string; user_id: string }[]>`
    select id, user_id from latchkey.passkeys
    union all select id, user_id from latchkey.sessions
    union all select organization_id, user_id from latchkey.memberships
    union all select id, user_id from latchkey.organization_invitations where user_id is not null
    union all select invitations.id, users.id
      from latchkey.invitations join latchkey.users on users.username = invitations.username
    union all select id, id from latchkey.users`;
  for (const { id, user_id: userId } of rows) {
    const users = concerned.get(id) ?? new Set();
    concerned.set(id, users.add(userId));
  }
}

/**
 * Formats a row as `actor event, refused (reason), target (target_name), organization`. Leaves out missing
 * parts.
 */
export function lineOf(row: DayRow, names: ReadonlyMap<string, string>): string {
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? 'unknown'));
  const who = row.actor_type === 'user' ? `${nameOf(row.actor_id)}` : row.actor_type;
  const { target_type: type, target_id: targetId, target_name: called } = row;
  const name = nameOf(targetId);
  return [
    `${who === row.actor_name || row.actor_name === null ? who : `${who} ${row.actor_name}`} ${row.event}`,
    row.outcome === 'failure' ? `refused (${row.details.reason})` : null,
    type && [type, name, called === name || called === null ? null : `(${called})`].filter(Boolean).join(' '),
    row.organization_id && `in ${nameOf(row.organization_id)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
