/**
 * Adds secrets that the database creates and that no setting contains. The rotation of JWT_SECRET leaves them unchanged.
 *
 * `decoys` is the key of the decoys (invented passkeys) that a sign-in with an unknown username lists. PostgreSQL takes
 * both UUIDs from its cryptographic random generator, so a secret has 244 random bits.
 */
export const secrets = {
  version: 13,
  name: 'secrets',
  script: `
create table latchkey.secrets (
  name text primary key,
  secret text not null
);
insert into latchkey.secrets (name, secret)
values ('decoys', gen_random_uuid()::text || gen_random_uuid()::text);
`,
};
