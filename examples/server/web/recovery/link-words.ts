import type { CurrentSession } from 'latchkey/client';

/** A recovery link that another user or an operator created for the account of this session. */
export type ForeignLink = NonNullable<CurrentSession['recoveryLink']>;

interface LinkTimes {
  /** "at 2:05 PM" */
  created: string;
  /** "2:35 PM" */
  start: string;
}

/** What the banner says about a recovery link for this account. */
export function linkWords(link: ForeignLink, times: LinkTimes, now: number): string {
  const creator = link.createdBy?.username;
  if (link.usedAt !== null) {
    const by = creator ?? 'an operator of this service';
    return `The recovery link that ${by} created for your account ${times.created} is being used right now. If you are not using the link, cancel it to end the recovery.`;
  }
  const created = `${creator ?? 'An operator of this service'} created a recovery link for your account ${times.created}.`;
  const wait = Date.parse(link.usableAt) > now ? ` The link works from ${times.start}.` : '';
  return `${created}${wait} If you did not ask for the link, cancel it.`;
}
