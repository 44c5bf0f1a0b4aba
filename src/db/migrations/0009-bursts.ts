/**
 * Adds the number of refusals that an audit event stands for. Null means one, so the existing rows stay unchanged.
 */
export const bursts = {
  version: 9,
  name: 'bursts',
  script: `
alter table latchkey.audit_events add column count integer;
`,
};
