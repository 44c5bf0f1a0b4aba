create table notes (
  id uuid primary key default gen_random_uuid(),
  -- Not latchkey.users, which keeps the row of a deleted user. The id in latchkey.user_ids is deleted with the account.
  owner_id uuid not null references latchkey.user_ids (id) on delete cascade,
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null default now()
);

create index notes_owner on notes (owner_id);
