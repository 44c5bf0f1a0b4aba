import type { OperatorActions, SchemaState, UsernameAvailability } from 'latchkey';
import type { Check } from './doctor/check.ts';

/** What the screens work with: the service at hand, and whoever sits before it. */
export interface Desk {
  operator: OperatorActions;
  /** What the audit log calls whoever sits here: `ada@db1`. */
  operatorName: string;
  /** Where the pages live. */
  origin: string;
  /** Which database it is, without its password: `latchkey@localhost:5432/app`. */
  database: string;
  schema: SchemaState;
  checkUsername(username: string): Promise<UsernameAvailability>;
  runDoctor(): Promise<Check[]>;
}
