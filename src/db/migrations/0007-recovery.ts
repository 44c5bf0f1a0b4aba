/**
 * Makes a recovery revocable until it completes.
 *
 * A used recovery link keeps its row and names the session that it opened, so that completing the recovery can check
 * the rights of the link's creator again. There is no foreign key because a session can end before its link expires.
 *
 * A recovery now creates recovery codes only when it completes. Existing codes from unfinished recoveries could be an
 * attacker's, and existing recovery sessions name no link: both are deleted.
 */
export const recovery = {
  version: 7,
  name: 'recovery',
  script: `
delete from latchkey.recovery_codes where recovery_session_id is not null;
alter table latchkey.recovery_codes drop column recovery_session_id;

delete from latchkey.sessions where kind = 'recovery';
delete from latchkey.recovery_links;
alter table latchkey.recovery_links add column usable_at timestamptz not null;
alter table latchkey.recovery_links add column session_id uuid;
alter table latchkey.recovery_links add column used_at timestamptz;
`,
};
