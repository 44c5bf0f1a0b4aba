import type { User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useSettled } from '../use-settled.ts';

export interface SoughtPerson {
  /** Null: the username is empty, was not looked up yet, or belongs to no user. */
  id: string | null;
  suggestions: string[];
  /** True: no user has the username. */
  isUnknown: boolean;
}

const mostSuggestions = 20;
const noUsers: User[] = [];

/** Finds the user with a username. Suggests usernames while the username is typed. */
export function usePerson(typed: string): SoughtPerson {
  const wanted = typed.trim().toLowerCase();
  const settled = useSettled(wanted);
  const [found, setFound] = useState({ wanted: '', users: noUsers });

  useEffect(() => {
    if (settled === '') return;
    const controller = new AbortController();
    const search = async () => {
      try {
        const { users } = await auth.users.list(
          { query: settled, limit: mostSuggestions },
          { signal: controller.signal },
        );
        setFound({ wanted: settled, users });
      } catch {
        // Suggestions are optional. The list of events reports an unreachable service.
      }
    };
    void search();
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
