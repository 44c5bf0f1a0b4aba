import type { Member } from 'latchkey/client';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { type LongList, useList } from '../use-list.ts';
import { useSettled } from '../use-settled.ts';

export type Members = ReturnType<typeof useMembers>;

/** The members of an organization, and the search for them. */
export function useMembers(organizationId: string, isOn: boolean) {
  const [typed, setTyped] = useState('');
  const query = useSettled(typed.trim());
  const list = useList<Member>(
    useCallback(
      async (cursor, signal) => {
        if (!isOn) return { items: [], nextCursor: null };
        const page = await auth.organizations.members.list(organizationId, { query, cursor }, { signal });
        return { items: page.members, nextCursor: page.nextCursor };
      },
      [organizationId, query, isOn],
    ),
  );
  return { list, query, typed, setTyped };
}

/** The number of loaded items: "14", or "50+" if there are more pages. Undefined if none are loaded. */
export function loadedCount<Item>({ resource }: LongList<Item>): string | undefined {
  if (resource.status !== 'ready') return undefined;
  const { items, nextCursor } = resource.value;
  if (items.length === 0) return undefined;
  return `${items.length}${nextCursor ? '+' : ''}`;
}
