import type { CurrentSession } from 'latchkey/client';

/** A recovery link for the account of this session that another user or an operator made. */
export type ForeignLink = NonNullable<CurrentSession['recoveryLink']>;

interface LinkTimes {
  /** "at 2:05 PM" */
  made: string;
  /** "2:35 PM" */
  start: string;
}

/** What the banner says about a recovery link for this account. */
export function linkWords(link: ForeignLink, times: LinkTimes, now: number): string {
  const maker = link.createdBy?.username;
  if (link.usedAt !== null) {
    const by = maker ?? 'an operator of this service';
    return `The recovery link that ${by} made for your account ${times.made} is being used right now. If this is not you, cancel it to end the recovery.`;
  }
  const made = `${maker ?? 'An operator of this service'} made a recovery link for your account ${times.made}.`;
  const wait = Date.parse(link.usableAt) > now ? ` It works from ${times.start}.` : '';
  return `${made}${wait} If you did not ask for this, cancel it.`;
}
