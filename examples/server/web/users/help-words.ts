import type { Explanation } from '../explain.ts';

/** Why a recovery link, or signing a user out, is refused. */
export const helpWords: Record<string, Explanation> = {
  forbidden: {
    tone: 'warning',
    title: 'You can’t help this user',
    body: 'An administrator can help only users without a higher role, and only if they are an admin of every organization the user belongs to. Ask a superadministrator.',
  },
};
