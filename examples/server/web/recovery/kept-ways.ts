import type { Passkey } from 'latchkey/client';
import { listOf } from '../list-of.ts';
import { t } from '../messages/text.ts';

/** The sign-in methods that a recovery keeps, and those that it removes. */
export interface KeptWays {
  keptPasskeys: Passkey[];
  removedPasskeys: Passkey[];
  /** Null: the account has no password. */
  keepsPassword: boolean | null;
}

/** The choice for a new account, which has no passkey and no password. */
export const nothingToKeep: KeptWays = { keptPasskeys: [], removedPasskeys: [], keepsPassword: null };

/** Summarizes the choice: "You keep 1 passkey. 2 passkeys and the password are removed." */
export function consequenceOf({ keptPasskeys, removedPasskeys, keepsPassword }: KeptWays): string {
  const kept = listOf(waysOf(keptPasskeys.length, keepsPassword === true));
  const loss = lossOf(removedPasskeys.length, keepsPassword === false);
  if (loss === null) return t('recovery.keepEverything', { ways: kept });
  return `${kept === '' ? t('recovery.keepNothing') : t('recovery.keepSome', { ways: kept })} ${loss}`;
}

const waysOf = (passkeys: number, password: boolean): string[] => [
  ...(passkeys > 0 ? [t('recovery.passkeys', { count: passkeys })] : []),
  ...(password ? [t('recovery.thePassword')] : []),
];

function lossOf(passkeys: number, password: boolean): string | null {
  if (passkeys === 0) return password ? t('recovery.removesPassword') : null;
  return t(password ? 'recovery.removesBoth' : 'recovery.removesPasskeys', { count: passkeys });
}

/** The names of sign-in methods: "MacBook, Security key and the password". */
export const namesOf = (passkeys: Passkey[], password: boolean): string =>
  listOf([...passkeys.map(({ label }) => label), ...(password ? [t('recovery.thePassword')] : [])]);
