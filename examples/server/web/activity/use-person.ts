import type { User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useSettled } from '../use-settled.ts';

export interface SoughtPerson {
  /** Null: no username is given, or no user has exactly this username. */
  id: string | null;
  suggestions: string[];
  /** True: a username is given, and no user has it. */
  isUnknown: boolean;
}

const mostSuggestions = 20;
const noUsers: User[] = [];

/** The user with a username, and suggestions while the username is typed. */
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
        // Suggestions are optional; the list reports an unreachable service.
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
