create table notes (
  id uuid primary key default gen_random_uuid(),
  -- Latchkey deletes no row of latchkey.users: the row of a deleted user stays. So "on delete cascade" would have no
  -- effect. notes.ts deletes the notes of deleted users.
  owner_id uuid not null references latchkey.users (id),
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null default now()
);

create index notes_owner on notes (owner_id);
