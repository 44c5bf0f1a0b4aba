import type { FaultList } from './config-fault.ts';
import { refuseUnknown } from './unknown-names.ts';

/**
 * The option `password`: verifies the password hashes of another system.
 *
 * @example
 * const password: PasswordOptions = {
 *   accepts: (hash) => hash.startsWith('$argon2id$'),
 *   verify: (password, hash) => argon2.verify(hash, password),
 * };
 */
export interface PasswordOptions {
  /**
   * Returns whether a password has this hash. The service calls it only for stored hashes that are neither its own nor
   * bcrypt hashes. It passes the password as the user typed it. After a sign-in, the service replaces the hash with its
   * own. If the function throws or takes longer than 5 seconds, the sign-in is refused like a wrong password, and the
   * service logs the error. At most 30 calls in a process can be unfinished, including those that took longer. While there
   * are 30, sign-ins that need the function get 503 with `Retry-After`. Give the function its own timeout.
   */
  readonly verify: (password: string, hash: string) => boolean | Promise<boolean>;
  /**
   * Returns whether `verify` knows the form of a hash. Imports refuse other hashes. The function should only look at the
   * form, because an import calls it for each hash. Default: `verify` knows every form.
   */
  readonly accepts?: (hash: string) => boolean;
}

/** The checked option `password`. */
export interface HashVerifier {
  verify(password: string, hash: string): unknown;
  accepts(hash: string): boolean;
}

const known = ['verify', 'accepts'] satisfies (keyof PasswordOptions)[];

/** Reads the option `password`. Null: no function verifies the hashes of other systems. */
export function readHashVerifier(faults: FaultList, given: PasswordOptions | undefined): HashVerifier | null {
  if (typeof given !== 'object' || given === null) return null;
  refuseUnknown(faults, 'password', given, known);
  const { verify, accepts = () => true } = given;
  if (typeof verify !== 'function') expectFunction(faults, 'verify', verify);
  if (typeof accepts !== 'function') expectFunction(faults, 'accepts', accepts);
  return { verify: (password, hash) => verify(password, hash), accepts: (hash) => accepts(hash) === true };
}

const expectFunction = (faults: FaultList, part: keyof PasswordOptions, value: unknown): void =>
  faults.addText(`password.${part}`, value === null ? 'null' : typeof value, 'a function');
