/**
 * Adds a function that throws an error if the server is a standby. `onPrimary` adds a call of this function
 * to each statement that only reads tables. On a standby, PostgreSQL itself rejects changes, with the same
 * SQLSTATE (25006).
 *
 * The function is in a `do` block, because pg-mem (the in-memory database for tests) skips such blocks.
 */
export const primary = {
  version: 16,
  name: 'primary',
  script: `
do $$
begin
  create function latchkey.require_primary() returns boolean language plpgsql stable parallel safe as '
  begin
    if pg_catalog.pg_is_in_recovery() then
      raise exception ''this server is a standby, and Latchkey reads only from the primary''
        using errcode = ''read_only_sql_transaction'';
    end if;
    return true;
  end';
end
$$;
`,
};
