import type { CurrentSession } from 'latchkey/client';
import { t } from '../messages/text.ts';

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
  const creator = link.createdBy?.username ?? '';
  const values = { by: link.createdBy ? 'user' : 'operator', creator, created: times.created };
  if (link.usedAt !== null) return t('recovery.linkBeingUsed', values);
  return Date.parse(link.usableAt) > now
    ? t('recovery.linkCreatedWaiting', { ...values, start: times.start })
    : t('recovery.linkCreated', values);
}
