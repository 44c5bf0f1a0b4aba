import type { User } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useSettled } from '../use-settled.ts';

const most = 6;
const none: User[] = [];

/** The active users whose name contains what the user types. @param isOn whether the viewer can search users now */
export function useUserSearch(typed: string, isOn: boolean): readonly User[] {
  const wanted = typed.trim().toLowerCase();
  const search = useSettled(wanted);
  const [found, setFound] = useState({ search: '', users: none });

  useEffect(() => {
    if (!isOn || search === '') return;
    const controller = new AbortController();
    const load = async () => {
      try {
        const filters = { search, status: 'active', limit: most } as const;
        const { users } = await auth.users.list(filters, { signal: controller.signal });
        setFound({ search, users });
      } catch {
        // Suggestions are optional. The invitation itself reports an unreachable service.
      }
    };
    void load();
    return () => controller.abort();
  }, [search, isOn]);

  // Enter must not choose a user who matches only the text that was typed before.
  return isOn && wanted !== '' && found.search === wanted ? found.users : none;
}
