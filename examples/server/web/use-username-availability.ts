import { useEffect, useState } from 'preact/hooks';
import { auth } from './auth.ts';
import { t } from './messages/text.ts';

export type Availability =
  | { status: 'empty' | 'short' | 'checking' | 'unknown' }
  /** `username` is the normalized username that the account would get. */
  | { status: 'available' | 'taken' | 'look_alike' | 'reserved' | 'invalid'; username: string };

const shortest = 3;
const pauseMs = 300;

/**
 * Checks whether a username is available when the user pauses for 300 ms. Cancels earlier checks.
 *
 * @param invitation the token of an invitation to sign up
 */
export function useUsernameAvailability(given: string, invitation?: string): Availability {
  const typed = given.trim();
  const [answer, setAnswer] = useState<{ typed: string; availability: Availability } | null>(null);

  useEffect(() => {
    if (typed.length < shortest) return;
    const controller = new AbortController();
    const ask = async () => {
      const availability = await lookUp(typed, invitation, controller.signal);
      if (!controller.signal.aborted) setAnswer({ typed, availability });
    };
    const timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [typed, invitation]);

  if (typed === '') return { status: 'empty' };
  if (typed.length < shortest) return { status: 'short' };
  return answer?.typed === typed ? answer.availability : { status: 'checking' };
}

async function lookUp(
  typed: string,
  invitation: string | undefined,
  signal: AbortSignal,
): Promise<Availability> {
  try {
    const { username, available, reason } = await auth.usernameAvailability(typed, { invitation, signal });
    return { status: available ? 'available' : (reason ?? 'invalid'), username };
  } catch {
    // The check is only a hint, because sign-up checks the username again.
    return { status: 'unknown' };
  }
}

/** How to correct an invalid username. */
export function brokenRule(username: string): string {
  if (username.length > 32) return t('entrance.usernameTooLong');
  if (username.includes('@')) return t('entrance.usernameNoEmail');
  if (/\s/.test(username)) return t('entrance.usernameNoSpaces');
  if (/^[._-]|[._-]$/.test(username)) return t('entrance.usernameEnds');
  return t('entrance.usernameCharacters');
}
