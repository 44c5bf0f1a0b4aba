/**
 * Adds the logs of other services that this service witnesses: the newest checkpoint of each that it has cosigned.
 *
 * `root` is the root hash in base64, and `note` the checkpoint with the signature of the log and the cosignature.
 */
export const auditWitness = {
  version: 29,
  name: 'audit witness',
  compatibleWith: 23,
  script: `
create table latchkey.audit_witnessed (
  origin text primary key,
  size bigint not null check (size >= 0),
  root text not null,
  note text not null,
  at timestamptz not null
);
`,
};
