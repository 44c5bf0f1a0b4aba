/**
 * What lets a person in, or back in, without a passkey: a password, recovery codes, a link from somebody who may help.
 *
 * A password is one column of its account, so that every rule about the ways in reads one row. Of codes and links
 * only digests are kept. A code knows the key of its digest, and the recovery session that it was made in, if any: no
 * reference, since that ends before the code does.
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
