import type { Sql } from 'postgres';

type Asked = Pick<Sql, 'unsafe'>;

/** A node of a plan, as PostgreSQL tells of it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
}

/**
 * The plan that serves all values, which is what a prepared statement may come to have. A batch of a thousand is much of
 * a table that a test fills, as it is of none that is large: here it has a hundredth.
 */
export const planOf = (sql: Asked, statement: string): Promise<PlanNode> =>
  explain(sql, 'generic_plan, format json', statement.replace('limit 1000\n', 'limit 10\n'));

/** The plan for these values. */
export const planFor = (
  sql: Asked,
  { text, values }: { text: string; values: unknown[] },
): Promise<PlanNode> => explain(sql, 'format json', text, values);

async function explain(sql: Asked, how: string, text: string, values: unknown[] = []): Promise<PlanNode> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `explain (${how}) ${text}`,
    values as never[],
  );
  if (!row) throw new Error('there is no plan');
  return row['QUERY PLAN'][0].Plan;
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

export const indexesIn = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap((node) => node['Index Name'] ?? []);

/** More rows than a statement sorts for anybody. */
const many = 1000;

/**
 * What of a plan grows with these tables: `reads users` where it reads one from end to end, `walks users`, and by what
 * filter, where it goes along a whole index, and `sorts` where it sorts much of one. A page in an index's order ends
 * when it is full.
 */
export function burdensOf(plan: PlanNode, tables: readonly string[]): string[] {
  return nodesOf(plan).flatMap((node) => {
    const [input] = node.Plans ?? [];
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'] === 'Sort') return (input?.['Plan Rows'] ?? 0) > many ? ['sorts'] : [];
    if (!tables.includes(table)) return [];
    if (node['Node Type'].endsWith('Seq Scan')) return [`reads ${table}`];
    const isWalk = /^Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined;
    if (!isWalk) return [];
    return node.Filter === undefined ? [`walks ${table}`] : [`walks ${table} by ${columnsIn(node.Filter)}`];
  });
}

/** The columns that a filter of ours asks about. */
const columnsIn = (filter: string): string =>
  [
    ...new Set(
      filter.match(/\b(?:deleted_at|event|outcome|role|status|accepted_at|username|display_name)\b/g),
    ),
  ]
    .sort()
    .join(', ');
