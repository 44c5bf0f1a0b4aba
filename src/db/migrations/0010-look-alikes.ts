/**
 * Adds the skeleton of usernames: usernames with the same skeleton look alike (`src/users/look-alikes.ts`). Of several
 * such accounts, only one has the skeleton, and the others have null. So a unique index can refuse a look-alike of any
 * account, even in concurrent sign-ups.
 *
 * The `do` block gives the skeleton to the oldest account. pg-mem (the in-memory database for tests) skips `do` blocks.
 */
export const lookAlikes = {
  version: 10,
  name: 'look-alikes',
  script: `
alter table latchkey.users add column skeleton text;

do $$
begin
  update latchkey.users set skeleton = oldest.skeleton
  from (
    select distinct on (named.skeleton) named.id, named.skeleton
    from (
      select users.id, users.created_at,
        replace(replace(translate(read.username, '01i._-', 'oll'), 'm', 'rn'), 'w', 'vv') as skeleton
      from latchkey.users
      cross join lateral (
        select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
          users.username, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
          '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g') as username
      ) as read
    ) as named
    order by named.skeleton, named.created_at, named.id
  ) as oldest
  where users.id = oldest.id;

  create unique index users_skeleton on latchkey.users (skeleton);
end
$$;
`,
};
