/**
 * Adds columns. A session gets the passkey with which the user last authenticated. A passkey gets the IP address and
 * the browser of the last use. A user gets the reason why a superadmin or an operator disabled the account.
 *
 * `sessions.passkey_id` has no foreign key. A foreign key would need an index, which every sign-in would have to write.
 * Instead, the statements that remove a passkey end all other sessions and clear the column of the caller's session.
 *
 * A trigger removes the reason from deleted users. The service also does this, but processes of the earlier version do not
 * know the column, and can delete users while a new version is deployed.
 *
 * `erase_user` also replaces the reason in events of disabled users, because this text can contain names. It also removes
 * the reason from the user's row, in case the trigger was disabled. The script changes one condition and one assignment of
 * the function, so it keeps what other migrations have added to the function.
 *
 * pg-mem (the in-memory database for tests) skips the `do` block.
 */
export const facts = {
  version: 26,
  name: 'facts',
  compatibleWith: 23,
  script: `
alter table latchkey.sessions add column passkey_id uuid;
alter table latchkey.passkeys add column last_used_ip text;
alter table latchkey.passkeys add column last_used_user_agent text;
alter table latchkey.users add column disabled_reason text;

do $$
declare
  earlier text := pg_get_functiondef('latchkey.erase_user(uuid, text, uuid, integer)'::regprocedure);
  condition text := 'facts.event like ''impersonation.%'' and facts.details ? ''statedReason''';
  assignment text := 'set username = null, skeleton = null,';
begin
  if position(condition in earlier) = 0 then
    raise exception 'latchkey.erase_user has not the expected condition';
  end if;
  if position(assignment in earlier) = 0 then
    raise exception 'latchkey.erase_user has not the expected assignment';
  end if;
  execute replace(
    replace(earlier, condition, 'facts.details ? ''statedReason'''),
    assignment,
    'set username = null, skeleton = null, disabled_reason = null,'
  );

  create function latchkey.remove_disabled_reason() returns trigger language plpgsql as '
  begin
    new.disabled_reason := null;
    return new;
  end';
  revoke all on function latchkey.remove_disabled_reason() from public;
  create trigger users_disabled_reason_removed
    before insert or update on latchkey.users
    for each row when (new.deleted_at is not null and new.disabled_reason is not null)
    execute function latchkey.remove_disabled_reason();
end
$$;
`,
};
