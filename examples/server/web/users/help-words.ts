import type { Explanation } from '../explain.ts';

/** Why a recovery link, or signing a user out, is refused. */
export const helpWords: Record<string, Explanation> = {
  forbidden: {
    tone: 'warning',
    title: 'You can’t help this user',
    body: 'An administrator can help a user who is neither an administrator nor an organization admin, and only if the administrator manages every organization the user belongs to. Ask a superadministrator.',
  },
};
