import type { Page } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import type { ListedUser } from '../../core/user-list.ts';
import { sql } from '../../db/sql.ts';
import { countOrganizationsOf } from '../../organizations/store.ts';
import { countPasskeysOf } from '../../passkeys/store.ts';
import { type LastSignInRow, lastSignInFromRow, selectSignIns } from '../../users/store/sign-ins.ts';

type DetailsRow = LastSignInRow & {
  user_id: string;
  passkeys: string | number | null;
  memberships: string | number | null;
};

/** Adds the details of the users on a page. Reads the details of only these users. */
export async function readListDetails(
  { db }: Runtime,
  page: Page<'users', User>,
): Promise<Page<'users', ListedUser>> {
  const ids = page.users.map(({ id }) => id);
  if (ids.length === 0) return page;
  const rows = await db.query<DetailsRow>(sql`
    with sign_in as (${selectSignIns(ids)}),
      passkey as (${countPasskeysOf(ids)}),
      membership as (${countOrganizationsOf(ids)})
    select sign_in.*, passkey.passkeys, membership.memberships from sign_in
    left join passkey on passkey.user_id = sign_in.user_id
    left join membership on membership.user_id = sign_in.user_id`);
  const details = new Map(rows.map((row) => [row.user_id, row]));
  const users = page.users.map((user) => {
    const row = details.get(user.id);
    return {
      ...user,
      lastSignIn: row ? lastSignInFromRow(row) : null,
      passkeyCount: Number(row?.passkeys ?? 0),
      organizationCount: Number(row?.memberships ?? 0),
    };
  });
  return { ...page, users };
}
