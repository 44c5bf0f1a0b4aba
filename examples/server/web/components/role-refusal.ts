import { type Explanation, explain } from '../explain.ts';

/** For a refused role change: names the passkeys in the title, because the user did not just try to use one. */
export const roleRefusal = (error: unknown, title: string): Record<string, Explanation> => ({
  authenticator_not_allowed: { tone: 'warning', title, body: explain(error).body },
});
