/**
 * Lets a recovery be canceled until it is completed.
 *
 * Using a recovery link keeps the link's row and stores the id of the opened recovery session in the row. Completing
 * the recovery then checks the rights of the link's creator again. The session id has no foreign key, because the
 * session can end before the link expires.
 *
 * A recovery now creates recovery codes only when it completes. Recovery codes from unfinished recoveries are deleted,
 * because an attacker can have created them. Existing recovery sessions and links are deleted, because they lack the
 * new columns.
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
