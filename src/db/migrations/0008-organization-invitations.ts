/**
 * Adds invitations to organizations. An invitation contains either a user's id or the digest of a link's token.
 *
 * Partial indexes cover the invitations that are not yet accepted, declined or revoked. PostgreSQL uses these indexes
 * to list the invitations of a user and to count the invitations of an organization. The indexes are in a `do` block,
 * because pg-mem (the in-memory database for tests) does not support partial indexes and skips `do` blocks.
 */
export const organizationInvitations = {
  version: 8,
  name: 'organization-invitations',
  script: `
create table latchkey.organization_invitations (
  id uuid primary key,
  organization_id uuid not null references latchkey.organizations (id) on delete cascade,
  user_id uuid references latchkey.users (id) on delete cascade,
  token_hash text unique,
  role text not null check (role in ('user', 'admin')),
  created_by uuid references latchkey.users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  declined_at timestamptz,
  accepted_by uuid references latchkey.users (id) on delete set null,
  accepted_at timestamptz,
  check ((user_id is null) <> (token_hash is null))
);
create index organization_invitations_organization on latchkey.organization_invitations (organization_id, id);
create index organization_invitations_created_by on latchkey.organization_invitations (created_by);

do $$
begin
  create index organization_invitations_open on latchkey.organization_invitations (organization_id, expires_at)
    where accepted_at is null and revoked_at is null and declined_at is null;
  create index organization_invitations_received on latchkey.organization_invitations (user_id, id)
    where accepted_at is null and revoked_at is null and declined_at is null;
end
$$;
`,
};
