/**
 * Adds the function that prunes the audit log. Each call deletes one batch of old events, and records an event if the
 * batch was not empty. A trigger rejects other statements that delete events.
 *
 * The function runs with the rights of its owner (`security definer`). The trigger allows a delete under two
 * conditions: the variable `latchkey.forgetting` is set, and the current role has the rights of the table's owner. A
 * role that does not own the table can set the variable, but does not meet the second condition. The owner can drop the
 * trigger, so for the owner the trigger only prevents mistakes.
 *
 * Roles other than the owner need a grant to call the function. The function never deletes the events of the last day,
 * so an attacker with the service's role cannot delete the traces of a recent attack.
 *
 * The pruning function and the trigger's function both set `search_path`. So a caller cannot make them use other
 * functions or tables.
 */
export const retention = {
  version: 5,
  name: 'retention',
  script: `
do $$
begin
  -- The path, in both: a caller must not put functions and tables of their own in the place of those that are meant.
  create or replace function latchkey.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    if tg_op = ''DELETE''
      and current_setting(''latchkey.forgetting'', true) = ''on''
      and pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), ''usage'')
    then
      return null;
    end if;
    raise exception ''latchkey.audit_events is append-only'' using errcode = ''insufficient_privilege'';
  end';

  create function latchkey.forget_audit_events(
    before timestamptz, most integer, entry uuid default gen_random_uuid()
  ) returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    removed integer;
  begin
    if before > latchkey.clock() - interval ''1 day'' then
      raise exception ''latchkey.audit_events keeps the last day'' using errcode = ''invalid_parameter_value'';
    end if;
    perform set_config(''latchkey.forgetting'', ''on'', true);
    -- Two at once remove each what the other does not.
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

  revoke all on function latchkey.forget_audit_events(timestamptz, integer, uuid) from public;
end
$$;
`,
};
