import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/audit/conventions/event-conventions.ts',
    replace: "outcome !== 'success' ||",
    by: '',
    breaks: 'A refused attempt to disable a user is sent to other services as a disabled account',
    killedBy: ['tests/features/audit-event-schema.test.ts'],
  },
  {
    file: 'src/audit/conventions/event-schema.ts',
    replace: 'required: Object.keys(fields).filter((name) => !fields[name]?.optional),',
    by: '',
    breaks: 'The published schema does not require any field of details',
    killedBy: ['tests/features/audit-event-schema.test.ts'],
  },
] as const satisfies readonly Mutant[];
