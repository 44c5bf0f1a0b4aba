import type { User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useSettled } from '../use-settled.ts';

export interface SoughtPerson {
  /** Null where nobody is asked for, or nobody of exactly that name was found. */
  id: string | null;
  suggestions: string[];
  /** Asked for, and not there. */
  isUnknown: boolean;
}

const mostSuggestions = 20;
const nobody: User[] = [];

/** The person of a username, with suggestions while it is being typed. */
export function usePerson(typed: string): SoughtPerson {
  const wanted = typed.trim().toLowerCase();
  const settled = useSettled(wanted);
  const [found, setFound] = useState({ wanted: '', users: nobody });

  useEffect(() => {
    if (settled === '') return;
    const controller = new AbortController();
    const look = async () => {
      try {
        const { users } = await auth.users.list(
          { query: settled, limit: mostSuggestions },
          { signal: controller.signal },
        );
        setFound({ wanted: settled, users });
      } catch {
        // Only a help for typing: the list says it where the service does not answer.
      }
    };
    void look();
    return () => controller.abort();
  }, [settled]);

  const isAnswered = found.wanted === wanted && wanted !== '';
  const person = isAnswered ? found.users.find(({ username }) => username === wanted) : undefined;
  return {
    id: person?.id ?? null,
    suggestions: wanted === '' ? [] : found.users.map(({ username }) => username),
    isUnknown: isAnswered && !person,
  };
}
