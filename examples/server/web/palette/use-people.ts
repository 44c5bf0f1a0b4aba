import type { Account, User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { has } from '../capabilities.ts';
import { noteFailure } from '../server-away.ts';

/** A shorter text matches too many users. */
const shortest = 2;
const most = 6;

export interface People {
  status: 'idle' | 'loading' | 'ready' | 'failed';
  users: User[];
}

const none: People = { status: 'idle', users: [] };

/** Searches the users whose username or display name contains the text. Only for administrators. */
export function usePeople({ role }: Account, text: string): People {
  const search = text.trim();
  const isAsked = has(role, 'user:read') && search.length >= shortest;
  const [answer, setAnswer] = useState<People & { search: string }>({ ...none, search: '' });

  useEffect(() => {
    if (!isAsked) return;
    const controller = new AbortController();
    auth.users.list({ search, limit: most }, { signal: controller.signal }).then(
      ({ users }) => setAnswer({ status: 'ready', users, search }),
      (error) => {
        if (controller.signal.aborted) return;
        noteFailure(error);
        setAnswer({ status: 'failed', users: [], search });
      },
    );
    return () => controller.abort();
  }, [isAsked, search]);

  if (!isAsked) return none;
  return answer.search === search ? answer : { status: 'loading', users: [] };
}
