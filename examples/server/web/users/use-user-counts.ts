import type { CappedCount, UserCounts } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { filtersOf, readUsersQuery, type UsersQuery } from './users-query.ts';

/** How many users each filter matches. Counts that are still unknown are undefined. */
export interface ChipCounts {
  all?: CappedCount | undefined;
  role?: UserCounts['role'] | undefined;
  status?: UserCounts['status'] | undefined;
  withoutPasskey?: CappedCount | undefined;
  inactive?: CappedCount | undefined;
}

/**
 * Counts the users that match the search, the organization and each filter. The list works without the counts, so errors
 * are ignored.
 *
 * @param isListed whether the list has loaded; the counts load later, because the list can open the passkey prompt
 * @returns the counts, and a function that counts again after a change
 */
export function useUserCounts(
  { search, organization }: Pick<UsersQuery, 'search' | 'organization'>,
  seesSignIns: boolean,
  isListed: boolean,
) {
  const [counts, setCounts] = useState<ChipCounts>({});
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    if (!isListed) return;
    const controller = new AbortController();
    const { signal } = controller;
    const { signedInBefore } = filtersOf({ ...readUsersQuery({}), isInactive: true });
    const one = { search: search || undefined, organizationId: organization ?? undefined, limit: 1 };
    const count = async () => {
      const [all, withoutPasskey, inactive] = await Promise.all([
        auth.users.list({ ...one, include: ['total', 'counts'] }, { signal }),
        seesSignIns ? auth.users.list({ ...one, hasPasskey: false, include: ['total'] }, { signal }) : null,
        seesSignIns ? auth.users.list({ ...one, signedInBefore, include: ['total'] }, { signal }) : null,
      ]);
      setCounts({
        all: all.total,
        ...all.counts,
        withoutPasskey: withoutPasskey?.total,
        inactive: inactive?.total,
      });
    };
    void count().catch(() => {});
    return () => controller.abort();
  }, [search, organization, seesSignIns, isListed, changes]);

  return { counts, countAgain: () => setChanges((known) => known + 1) };
}
