import type { OperatorActions, SchemaState, UsernameAvailability } from 'latchkey';
import type { Check } from './doctor/check.ts';
import type { Features } from './features.ts';

/** What the screens need from the service. */
export interface CliContext {
  operator: OperatorActions;
  /** The operator's name in the audit log, such as `ada@db1`. */
  operatorName: string;
  /** The origin of the pages. */
  origin: string;
  /** The database URL without the password, such as `service@localhost:5432/app`. */
  database: string;
  schema: SchemaState;
  /** The minimum number of characters of a new password. */
  passwordMinLength: number;
  /** Which features the service has. */
  features: Features;
  checkUsername(username: string): Promise<UsernameAvailability>;
  runDoctor(): Promise<Check[]>;
}
