/**
 * Changes the skeletons of usernames that end with digits, because `user51` looks like `user5l`
 * (`src/users/look-alikes.ts`). Before, the skeletons were `user5l` and `usersl`.
 *
 * A skeleton contains letters for the digits `0` and `1`. So the new skeleton is the earlier one, with letters for the
 * digits before a letter. If several accounts would get the same skeleton, the account that already has it keeps it,
 * otherwise the oldest account gets it. The others get null. No account loses its username.
 *
 * If a process of an earlier version stores one of these skeletons at the same time, the `do` block tries again. pg-mem
 * (the in-memory database for tests) skips `do` blocks.
 */
export const digitsAtTheEnd = {
  version: 30,
  name: 'digits-at-the-end',
  compatibleWith: 23,
  script: `
do $$
begin
  update latchkey.held_usernames
  set skeleton = regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    held_usernames.skeleton, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
    '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g')
  where held_usernames.skeleton ~ '[34578].*[a-z]';

  for attempt in 1..5 loop
    begin
      update latchkey.users
      set skeleton = case when numbered.place = 1 and not exists (
        select 1 from latchkey.users as others where others.skeleton = numbered.skeleton
      ) then numbered.skeleton end
      from (
        select changed.id, changed.skeleton,
          row_number() over (partition by changed.skeleton order by changed.created_at, changed.id) as place
        from (
          select users.id, users.created_at,
            regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
              users.skeleton, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
              '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g') as skeleton
          from latchkey.users
          where users.skeleton ~ '[34578].*[a-z]'
        ) as changed
      ) as numbered
      where users.id = numbered.id;
      exit;
    exception when unique_violation then
      if attempt = 5 then
        raise;
      end if;
    end;
  end loop;
end
$$;
`,
};
