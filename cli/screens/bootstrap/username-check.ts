import type { UsernameAvailability } from 'latchkey';
import { useEffect, useState } from 'react';
import { useClock } from '../../hooks/clock.ts';

export type CheckUsername = (username: string) => Promise<UsernameAvailability>;

export interface UsernameVerdict {
  /** The username that was checked. */
  given: string;
  isAcceptable: boolean;
  text: string;
}

const pauseMs = 250;

/**
 * Decides whether a superadmin can have a username. Accepts reserved usernames, usernames that look like
 * those of other users, and the username of an unfinished bootstrap.
 */
export function usernameVerdict(
  { username, available, reason }: UsernameAvailability,
  given: string,
  reusable: string | undefined,
): UsernameVerdict {
  const canonical = username === given ? '' : ` as ${username}`;
  if (reason === 'invalid')
    return {
      given,
      isAcceptable: false,
      text: '3 to 32 characters from a-z, 0-9 and . _ - (no . _ - at the ends)',
    };
  if (available || reason === 'reserved' || reason === 'look_alike')
    return { given, isAcceptable: true, text: `available${canonical}` };
  if (username === reusable) return { given, isAcceptable: true, text: 'can be used again' };
  return { given, isAcceptable: false, text: `taken${canonical}` };
}

/** Checks a username after a pause in typing. Returns null until the result is known. */
export function useUsernameCheck(
  check: CheckUsername,
  given: string,
  reusable: string | undefined,
): UsernameVerdict | null {
  const clock = useClock();
  const [verdict, setVerdict] = useState<UsernameVerdict | null>(null);
  useEffect(() => {
    if (given === '') return;
    let isStopped = false;
    const cancel = clock.after(pauseMs, async () => {
      const found = await check(given).catch(() => null);
      if (!isStopped) setVerdict(found && usernameVerdict(found, given, reusable));
    });
    return () => {
      isStopped = true;
      cancel();
    };
  }, [check, clock, given, reusable]);
  return verdict?.given === given ? verdict : null;
}
