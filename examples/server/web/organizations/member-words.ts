import type { Explanation } from '../explain.ts';
import { t } from '../messages/t.tsx';

/** Explains the errors of inviting or adding a user by username. */
export const memberWords = (): Record<string, Explanation> => ({
  not_found: {
    tone: 'warning',
    title: t('organizations.userNotFound'),
    body: t('organizations.userNotFoundBody'),
  },
  account_disabled: {
    tone: 'warning',
    title: t('organizations.accountDisabled'),
    body: t('organizations.accountDisabledBody'),
  },
});

/** Explains an error: the user is no longer a member. */
export const memberGone = (): Record<string, Explanation> => ({
  not_found: {
    tone: 'info',
    title: t('organizations.memberGone'),
    body: t('organizations.memberGoneBody'),
  },
});
