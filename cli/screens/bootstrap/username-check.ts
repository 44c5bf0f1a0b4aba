import type { UsernameAvailability } from 'latchkey';
import { useEffect, useState } from 'react';
import { useClock } from '../../hooks/clock.ts';

export type CheckUsername = (username: string) => Promise<UsernameAvailability>;

export interface UsernameVerdict {
  /** What was looked at. */
  given: string;
  isFine: boolean;
  words: string;
}

const pause = 250;

/** What may be said of a username for a superadmin. A reserved one is theirs to have, and so is what they had before. */
export function verdictOn(
  { username, available, reason }: UsernameAvailability,
  given: string,
  theirOwn: string | undefined,
): UsernameVerdict {
  const canonical = username === given ? '' : ` as ${username}`;
  if (reason === 'invalid') return { given, isFine: false, words: '3 to 32 of a-z, 0-9 and, inside, . _ -' };
  if (available || reason === 'reserved') return { given, isFine: true, words: `free${canonical}` };
  if (username === theirOwn) return { given, isFine: true, words: 'the one from before' };
  return { given, isFine: false, words: `taken${canonical}` };
}

/** Looks whether a name is free once nobody has typed for a moment; null as long as that is not known. */
export function useUsernameCheck(
  check: CheckUsername,
  given: string,
  theirOwn: string | undefined,
): UsernameVerdict | null {
  const clock = useClock();
  const [verdict, setVerdict] = useState<UsernameVerdict | null>(null);
  useEffect(() => {
    if (given === '') return;
    let isOver = false;
    const callOff = clock.after(pause, async () => {
      const found = await check(given).catch(() => null);
      if (!isOver) setVerdict(found && verdictOn(found, given, theirOwn));
    });
    return () => {
      isOver = true;
      callOff();
    };
  }, [check, clock, given, theirOwn]);
  return verdict?.given === given ? verdict : null;
}
