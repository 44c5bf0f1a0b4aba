import { AuthError } from '../core/errors.ts';

/**
 * Limits the requests of each user that a process serves at the same time.
 *
 * @param most the largest number for each user
 * @param message what a user reads who exceeds it
 * @returns a function that starts a request of a user. It returns the function that ends the request, and throws the
 *   AuthError `rate_limited` if too many requests are running.
 */
export function limitPerUser(most: number, message: string): (userId: string) => () => void {
  const running = new Map<string, number>();
  return (userId) => {
    const count = running.get(userId) ?? 0;
    if (count >= most) throw new AuthError('rate_limited', { message, headers: { 'Retry-After': '5' } });
    running.set(userId, count + 1);
    return () => {
      const left = (running.get(userId) ?? 0) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    };
  };
}
