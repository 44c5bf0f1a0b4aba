import type { Passkey } from 'latchkey/client';

/** The sign-in methods that a recovery keeps, and those that it removes. */
export interface KeptWays {
  keptPasskeys: Passkey[];
  removedPasskeys: Passkey[];
  /** Null: the account has no password. */
  keepsPassword: boolean | null;
}

/** The choice for a new account, which has no passkey and no password. */
export const nothingToKeep: KeptWays = { keptPasskeys: [], removedPasskeys: [], keepsPassword: null };

const join = new Intl.ListFormat('en', { type: 'conjunction' });

const countPasskeys = (count: number): string => (count === 1 ? '1 passkey' : `${count} passkeys`);

/** Summarizes the choice: "You keep 1 passkey. 2 passkeys and the password are removed." */
export function consequenceOf({ keptPasskeys, removedPasskeys, keepsPassword }: KeptWays): string {
  const kept = ways(keptPasskeys.length, keepsPassword === true);
  const removed = ways(removedPasskeys.length, keepsPassword === false);
  if (removed.length === 0) return `You keep everything: ${join.format(kept)}.`;
  const isOne = removed.length === 1 && (removedPasskeys.length === 1 || removedPasskeys.length === 0);
  const loss = `${join.format(removed)} ${isOne ? 'is' : 'are'} removed.`;
  return `You keep ${kept.length === 0 ? 'nothing' : join.format(kept)}. ${capitalize(loss)}`;
}

const ways = (passkeys: number, password: boolean): string[] => [
  ...(passkeys > 0 ? [countPasskeys(passkeys)] : []),
  ...(password ? ['the password'] : []),
];

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The names of sign-in methods: "MacBook, Security key, and the password". */
export const namesOf = (passkeys: Passkey[], password: boolean): string =>
  join.format([...passkeys.map(({ label }) => label), ...(password ? ['the password'] : [])]);
