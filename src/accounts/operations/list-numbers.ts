import type { Runtime } from '../../core/runtime.ts';
import type { CappedCount, UserListNumbers, UserListPart } from '../../core/user-list.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { countDirectory, type DirectoryFilter } from '../../users/store/directory.ts';

/** Counting stops at this number. */
const most = 10_000;

/** Counts the users of a list, in one statement. */
export async function countListed(
  { db }: Runtime,
  filter: DirectoryFilter,
  include: readonly UserListPart[],
): Promise<UserListNumbers> {
  const numbers = new Map<string, Sql>();
  const count = (changes: DirectoryFilter) => countDirectory({ ...filter, ...changes }, most + 1);
  if (include.includes('total')) numbers.set('total', count({}));
  if (include.includes('counts')) {
    const all = { role: undefined, status: undefined };
    for (const role of ['user', 'admin', 'superadmin'] as const) numbers.set(role, count({ ...all, role }));
    for (const status of ['active', 'disabled'] as const) numbers.set(status, count({ ...all, status }));
  }
  if (numbers.size === 0) return {};
  const [row = {}] = await db.query<Record<string, string | number>>(
    sql`select ${join([...numbers].map(([name, number]) => sql`${number} as ${raw(`"${name}"`)}`))}`,
  );
  const capped = (name: string): CappedCount => {
    const number = Number(row[name] ?? 0);
    return { count: Math.min(number, most), exact: number <= most };
  };
  return {
    ...(include.includes('total') && { total: capped('total') }),
    ...(include.includes('counts') && {
      counts: {
        role: { user: capped('user'), admin: capped('admin'), superadmin: capped('superadmin') },
        status: { active: capped('active'), disabled: capped('disabled') },
      },
    }),
  };
}
