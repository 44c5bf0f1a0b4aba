/**
 * Adds the oldest compatible version to each migration: see `compatibleWith` in `Migration`. Null, as in the rows of
 * earlier migrations: only versions of the package that know the migration can use the schema.
 */
export const compatibility = {
  version: 19,
  name: 'compatibility',
  // Earlier versions of the package do not read the new column, so they reject every newer schema.
  compatibleWith: 19,
  script: `
alter table latchkey.migrations add column compatible_with integer;
`,
};
