/**
 * Adds webhooks: destinations to which the service sends audit events in order of their positions.
 *
 * `slot` is a number from 1 to 20. Its unique constraint limits the number of webhooks, also if several are created at the
 * same time. `events` contains names and prefixes, separated by commas. `secret` and `previous_secret` are encrypted with
 * JWT_SECRET. `version` increments with each change by a user or an operator.
 *
 * `after_position` and `after_id` are the last event that was delivered or left out by the filter. -1: none. `holder` is
 * the process that sends events until `held_until`.
 */
export const webhooks = {
  version: 28,
  name: 'webhooks',
  compatibleWith: 23,
  script: `
create table latchkey.webhooks (
  id uuid primary key,
  name text not null unique,
  slot integer not null unique check (slot between 1 and 20),
  url text not null,
  events text,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  state text not null check (state in ('active', 'paused', 'disabled')),
  reason text,
  version integer not null default 0,
  after_position bigint not null,
  after_id uuid,
  attempts integer not null default 0,
  failing_since timestamptz,
  next_at timestamptz not null,
  last_at timestamptz,
  last_status integer,
  last_fault text,
  holder uuid,
  held_until timestamptz,
  created_at timestamptz not null
);
`,
};
