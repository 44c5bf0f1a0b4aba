/**
 * Notifies every process when cached sessions of a user become outdated. This happens when a session ends or gets a new
 * token, and when the user's role, status, username or display name changes. Triggers send the notifications. The
 * triggers also run for statements that an operator types.
 *
 * A notification contains only the user's id, because every role with access to the database can receive
 * notifications. New sessions, the use of sessions and the cleanup of expired rows send no notification, because they
 * make no cached session outdated. PostgreSQL commits transactions with notifications one at a time, so fewer
 * notifications make the service faster.
 */
export const notifications = {
  version: 4,
  name: 'notifications',
  script: `
do $$
begin
  create function latchkey.tell_of_session() returns trigger language plpgsql as '
  begin
    perform pg_notify(''latchkey_sessions'', old.user_id::text);
    return null;
  end';

  create function latchkey.tell_of_user() returns trigger language plpgsql as '
  begin
    perform pg_notify(''latchkey_sessions'', old.id::text);
    return null;
  end';

  create trigger sessions_ended
    after delete on latchkey.sessions
    for each row when (old.expires_at > latchkey.clock())
    execute function latchkey.tell_of_session();

  create trigger sessions_changed
    after update on latchkey.sessions
    for each row when (
      (old.token_hash, old.user_id, old.kind, old.method, old.authenticated_at, old.ends_at, old.epoch)
      is distinct from
      (new.token_hash, new.user_id, new.kind, new.method, new.authenticated_at, new.ends_at, new.epoch)
      or new.expires_at < old.expires_at
    )
    execute function latchkey.tell_of_session();

  create trigger users_changed
    after update on latchkey.users
    for each row when (
      (old.role, old.status, old.session_epoch, old.username, old.display_name, old.deleted_at)
      is distinct from
      (new.role, new.status, new.session_epoch, new.username, new.display_name, new.deleted_at)
    )
    execute function latchkey.tell_of_user();
end
$$;
`,
};
