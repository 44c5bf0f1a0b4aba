/**
 * Adds invitations to organizations. An invitation names a user or has the digest of a link's token.
 *
 * The partial indexes cover invitations that are not accepted, declined or revoked. They serve the list of a user's
 * invitations and the count of an organization's. pg-mem does not support partial indexes, so they are in a `do` block,
 * which pg-mem skips.
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
