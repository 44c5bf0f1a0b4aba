import type { ServiceOverview } from 'latchkey/client';

type Users = ServiceOverview['users'];

/** The number of enabled accounts. Percentages ignore disabled accounts, because their users cannot sign in. */
export const enabledIn = ({ total, disabled }: Users): number => Math.max(0, total - disabled);

/** From 0 to 1. 0 of 0 is 0. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Enabled accounts by what protects them. The four numbers are disjoint. */
export function protectionOf(users: Users) {
  const { withPasskey, withTwoPasskeys, withOnlyPassword } = users;
  return {
    twoPasskeys: withTwoPasskeys,
    onePasskey: withPasskey - withTwoPasskeys,
    onlyPassword: withOnlyPassword,
    notSetUp: Math.max(0, enabledIn(users) - withPasskey - withOnlyPassword),
  };
}
