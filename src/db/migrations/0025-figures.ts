/**
 * Adds the tables for the figures of the overview, and the function that counts sign-ins hour by hour.
 *
 * `sign_in_hours` contains the sign-ins and refusals of each hour. `active_user_counts` contains how many users were
 * active in an hour or a day (UTC), grouped by the previous hour or day in which they were active (`previous`). So the
 * number of different users of a period is the sum of the rows in the period whose `previous` is before the period.
 * `last_active_hours` contains the last active hour of each user, from which the function gets `previous`. The foreign
 * key deletes this row when the account is deleted.
 *
 * The function counts an hour one hour after its end, and again a day later. The second count finds events of
 * transactions that committed late. The lock on `counted_sign_ins` prevents two processes from counting at the same
 * time. The second count never makes a figure smaller, because events of the hour can be pruned between the two counts.
 * It counts a user only once in each hour and in each day.
 *
 * Without the settings of `count_hour`, PostgreSQL reads all rows of `user_ids` for each hour.
 *
 * If the clock was set back, the function continues at the current hour.
 *
 * The function runs with the rights of its owner (`security definer`), so the service's role cannot change the figures.
 * pg-mem (the in-memory database for tests) skips the `do` block.
 */
export const figures = {
  version: 25,
  name: 'figures',
  compatibleWith: 22,
  script: `
create table latchkey.sign_in_hours (
  hour timestamptz not null,
  method text not null,
  sign_ins bigint not null,
  refusals bigint not null,
  primary key (hour, method)
);

create table latchkey.active_user_counts (
  unit text not null check (unit in ('hour', 'day')),
  start timestamptz not null,
  previous timestamptz not null,
  users bigint not null,
  primary key (unit, start, previous)
);

create table latchkey.last_active_hours (
  user_id uuid primary key references latchkey.user_ids (id) on delete cascade,
  hour timestamptz not null
);

create table latchkey.counted_sign_ins (
  one boolean primary key check (one),
  until timestamptz
);
insert into latchkey.counted_sign_ins (one, until) values (true, null);

create table latchkey.user_figures (
  one boolean primary key check (one),
  at timestamptz not null,
  figures jsonb not null
);

do $$
begin
  create function latchkey.count_hour(counted timestamptz) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as '
  declare
    day timestamptz := date_trunc(''day'', counted, ''UTC'');
  begin
    insert into latchkey.sign_in_hours (hour, method, sign_ins, refusals)
    select
      counted,
      case audit_events.event
        when ''passkey.login'' then ''passkey''
        when ''password.login'' then ''password''
        when ''recovery_code.use'' then ''recovery_code''
        else ''recovery_link''
      end,
      count(*) filter (where audit_events.outcome = ''success''),
      coalesce(sum(coalesce(audit_events.count, 1)) filter (where audit_events.outcome = ''failure''), 0)
    from latchkey.audit_events
    where audit_events.event in (''passkey.login'', ''password.login'', ''recovery_code.use'', ''recovery_link.use'')
      and audit_events.at >= counted and audit_events.at < counted + interval ''1 hour''
    group by 2
    on conflict (hour, method) do update set
      sign_ins = greatest(sign_in_hours.sign_ins, excluded.sign_ins),
      refusals = greatest(sign_in_hours.refusals, excluded.refusals);

    with active as (
      select distinct audit_events.actor_id as id from latchkey.audit_events
      where audit_events.event in (
          ''passkey.login'', ''password.login'', ''recovery_code.use'', ''recovery_link.use'',
          ''account.signup'', ''invitation.accept''
        )
        and audit_events.outcome = ''success''
        and audit_events.at >= counted and audit_events.at < counted + interval ''1 hour''
    ),
    -- Without the lock, the insert fails if another transaction deletes the account.
    existing as (
      select user_ids.id from latchkey.user_ids where user_ids.id in (select active.id from active) for key share
    ),
    newly as (
      select existing.id, last_active_hours.hour as before
      from existing left join latchkey.last_active_hours on last_active_hours.user_id = existing.id
      where last_active_hours.hour is null or last_active_hours.hour < counted
    ),
    in_hour as (
      insert into latchkey.active_user_counts (unit, start, previous, users)
      select
        ''hour'', counted, greatest(coalesce(newly.before, ''-infinity''), counted - interval ''25 hours''), count(*)
      from newly
      group by 3
      on conflict (unit, start, previous) do update set users = active_user_counts.users + excluded.users
    ),
    in_day as (
      insert into latchkey.active_user_counts (unit, start, previous, users)
      select
        ''day'', day,
        greatest(
          coalesce(date_trunc(''day'', newly.before, ''UTC''), ''-infinity''), day - interval ''2184 hours''
        ),
        count(*)
      from newly
      where newly.before is null or newly.before < day
      group by 3
      on conflict (unit, start, previous) do update set users = active_user_counts.users + excluded.users
    )
    insert into latchkey.last_active_hours (user_id, hour)
    select newly.id, counted from newly
    on conflict (user_id) do update set hour = excluded.hour;
  end';

  create function latchkey.count_sign_ins(most integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    present timestamptz := date_trunc(''hour'', latchkey.clock(), ''UTC'');
    earliest timestamptz := present - interval ''9600 hours'';
    following timestamptz;
    counted integer := 0;
  begin
    select counted_sign_ins.until into following from latchkey.counted_sign_ins for update skip locked;
    if not found then
      return 0;
    end if;
    if following is null then
      select coalesce(date_trunc(''hour'', min(audit_events.at), ''UTC''), present) into following
      from latchkey.audit_events;
    end if;
    following := least(greatest(following, earliest), present);
    while counted < most and following <= latchkey.clock() - interval ''2 hours'' loop
      -- Skips hours without events. The hours of the last day are never skipped, because of their second count.
      if following <= present - interval ''26 hours'' then
        select
          least(
            greatest(following, coalesce(date_trunc(''hour'', min(audit_events.at), ''UTC''), present)),
            present - interval ''26 hours''
          )
        into following
        from latchkey.audit_events where audit_events.at >= following;
      end if;
      if following > present - interval ''26 hours'' then
        perform latchkey.count_hour(following - interval ''24 hours'');
      end if;
      perform latchkey.count_hour(following);
      following := following + interval ''1 hour'';
      counted := counted + 1;
    end loop;
    update latchkey.counted_sign_ins set until = following where until is distinct from following;
    if counted > 0 then
      delete from latchkey.sign_in_hours where sign_in_hours.hour < earliest;
      delete from latchkey.active_user_counts
      where (active_user_counts.unit = ''hour'' and active_user_counts.start < present - interval ''72 hours'')
        or (active_user_counts.unit = ''day'' and active_user_counts.start < present - interval ''4416 hours'');
    end if;
    return counted;
  end';

  revoke all on function latchkey.count_hour(timestamptz) from public;
  revoke all on function latchkey.count_sign_ins(integer) from public;
end
$$;
`,
};
