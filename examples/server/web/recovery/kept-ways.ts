import type { Passkey } from 'latchkey/client';

/** Which ways into the account the user keeps in a recovery, and which the recovery removes. */
export interface KeptWays {
  keptPasskeys: Passkey[];
  removedPasskeys: Passkey[];
  /** Null: the account has no password. */
  keepsPassword: boolean | null;
}

/** An account without a passkey and a password has nothing to keep. */
export const nothingToKeep: KeptWays = { keptPasskeys: [], removedPasskeys: [], keepsPassword: null };

const join = new Intl.ListFormat('en', { type: 'conjunction' });

const countPasskeys = (count: number): string => (count === 1 ? '1 passkey' : `${count} passkeys`);

/** The line below the question: "You keep 1 passkey. 2 passkeys and the password are removed." */
export function consequenceOf({ keptPasskeys, removedPasskeys, keepsPassword }: KeptWays): string {
  const kept = ways(keptPasskeys.length, keepsPassword === true);
  const removed = ways(removedPasskeys.length, keepsPassword === false);
  if (removed.length === 0) return `You keep everything: ${join.format(kept)}.`;
  const isOne = removed.length === 1 && (removedPasskeys.length === 1 || removedPasskeys.length === 0);
  const loss = `${join.format(removed)} ${isOne ? 'is' : 'are'} removed.`;
  return kept.length === 0
    ? `You keep nothing: ${loss}`
    : `You keep ${join.format(kept)}. ${capitalize(loss)}`;
}

const ways = (passkeys: number, password: boolean): string[] => [
  ...(passkeys > 0 ? [countPasskeys(passkeys)] : []),
  ...(password ? ['the password'] : []),
];

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The kept or the removed ways by name: "MacBook, Security key and the password". */
export const namesOf = (passkeys: Passkey[], password: boolean): string =>
  join.format([...passkeys.map(({ label }) => label), ...(password ? ['the password'] : [])]);
