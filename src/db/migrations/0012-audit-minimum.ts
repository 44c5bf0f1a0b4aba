/**
 * Moves the minimum retention of the audit log into a table that only the owner of the schema can change. The service's
 * role can call `forget_audit_events`, so without this minimum an attacker with this role could delete all events but
 * those of the last day. PCI DSS 10.5.1 requires that the events of the last three months are immediately available, so
 * the default is 90 days.
 *
 * `change_audit_minimum` runs with the rights of its caller, so it works only for the owner. It records the change as an
 * audit event. The service's role cannot delete this event before the new minimum has passed.
 *
 * A day is 24 hours. In PostgreSQL, a day can be shorter or longer, because of daylight saving time in the
 * time zone of the session.
 */
export const auditMinimum = {
  version: 12,
  name: 'audit-minimum',
  script: `
create table latchkey.settings (
  one boolean primary key check (one),
  audit_retention_minimum_days integer not null check (audit_retention_minimum_days between 1 and 36500)
);
insert into latchkey.settings (one, audit_retention_minimum_days) values (true, 90);

do $$
begin
  create or replace function latchkey.forget_audit_events(
    before timestamptz, most integer, entry uuid default gen_random_uuid()
  ) returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    minimum_days integer := coalesce((select settings.audit_retention_minimum_days from latchkey.settings), 90);
    removed integer;
  begin
    if before > latchkey.clock() - make_interval(hours => 24 * minimum_days) then
      raise exception ''latchkey.audit_events keeps each event for at least % days'', minimum_days
        using errcode = ''invalid_parameter_value'',
          hint = ''The owner of the schema can change this minimum: latchkey migrate --audit-retention-minimum=<days>'';
    end if;
    perform set_config(''latchkey.forgetting'', ''on'', true);
    -- If two calls run at the same time, each deletes rows that the other call skips.
    with old as (
      select audit_events.id from latchkey.audit_events
      where audit_events.at < before
      order by audit_events.at, audit_events.id
      limit most
      for update skip locked
    )
    delete from latchkey.audit_events where audit_events.id in (select old.id from old);
    get diagnostics removed = row_count;
    perform set_config(''latchkey.forgetting'', ''off'', true);
    if removed > 0 then
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (
        entry, latchkey.clock(), ''audit.prune'', ''success'', ''system'',
        jsonb_build_object(
          ''before'', to_char(before at time zone ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"''),
          ''removed'', removed
        )
      );
    end if;
    return removed;
  end';

  create function latchkey.change_audit_minimum(days integer, operator text, entry uuid)
  returns integer language plpgsql set search_path = pg_catalog, pg_temp as '
  declare
    former integer := (select settings.audit_retention_minimum_days from latchkey.settings for update);
  begin
    if former <> days then
      update latchkey.settings set audit_retention_minimum_days = days;
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, details)
      values (
        entry, latchkey.clock(), ''audit.change_minimum'', ''success'', ''operator'', operator,
        jsonb_build_object(''from'', former, ''to'', days)
      );
    end if;
    return former;
  end';

  revoke all on function latchkey.change_audit_minimum(integer, text, uuid) from public;
end
$$;
`,
};
