/**
 * Adds the view with the user id of each passkey. Features below the passkeys ask whether a user has a passkey, and must
 * not depend on the table. The index contains the user id, so PostgreSQL answers from the index.
 */
export const passkeyHolders = {
  version: 11,
  name: 'passkey-holders',
  script: `
create view latchkey.passkey_holders as select user_id from latchkey.passkeys;
`,
};
