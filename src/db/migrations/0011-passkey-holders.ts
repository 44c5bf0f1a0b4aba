/**
 * Adds a view with the user id of each passkey. With this view, the features on which the passkeys depend can
 * check whether a user has a passkey. They must not use the table of passkeys. PostgreSQL reads only the
 * index on the user id.
 */
export const passkeyHolders = {
  version: 11,
  name: 'passkey-holders',
  script: `
create view latchkey.passkey_holders as select user_id from latchkey.passkeys;
`,
};
