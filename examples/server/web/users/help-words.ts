import type { Explanation } from '../explain.ts';
import { t } from '../messages/text.ts';

/** Explains why the caller cannot create a recovery link for a user or end the user's sessions. */
export const helpWords = (): Record<string, Explanation> => ({
  forbidden: { tone: 'warning', title: t('users.cannotHelpTitle'), body: t('users.cannotHelp') },
});
