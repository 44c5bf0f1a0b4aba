import type { Explanation } from '../explain.ts';

/** Explains why the caller cannot create a recovery link for a user or end the user's sessions. */
export const helpWords: Record<string, Explanation> = {
  forbidden: {
    tone: 'warning',
    title: 'You can’t help this user',
    body: 'Ask a superadmin. You can help a user only if you manage all of the user’s organizations. You can’t help admins or organization admins.',
  },
};
