/**
 * Adds passwords, recovery codes and recovery links.
 *
 * The password hash is a column of `users`, so that one row contains the password, the status and the version of the
 * account. Recovery codes and links are stored only as digests. The row of a code also contains the id of the key that
 * computed the digest. If a recovery session created the code, the row contains the id of this session. The session id
 * has no foreign key, because the session ends before the code expires.
 */
export const otherWaysIn = {
  version: 2,
  name: 'other-ways-in',
  script: `
alter table latchkey.users add column password_hash text;

create table latchkey.recovery_codes (
  code_hash text primary key,
  key_id text not null,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  recovery_session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz
);
create index recovery_codes_user_id on latchkey.recovery_codes (user_id);

create table latchkey.recovery_links (
  user_id uuid primary key references latchkey.users (id) on delete cascade,
  token_hash text not null unique,
  maker_id uuid references latchkey.users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index recovery_links_maker_id on latchkey.recovery_links (maker_id);
create index recovery_links_expires_at on latchkey.recovery_links (expires_at);
`,
};
