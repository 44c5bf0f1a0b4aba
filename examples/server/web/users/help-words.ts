import type { Explanation } from '../explain.ts';

/** Why a recovery link, or signing a user out, is refused. */
export const helpWords: Record<string, Explanation> = {
  forbidden: {
    tone: 'warning',
    title: 'You can’t help this user',
    body: 'You can help users who are neither administrators nor organization admins, if you manage all of their organizations. Ask a superadmin.',
  },
};
