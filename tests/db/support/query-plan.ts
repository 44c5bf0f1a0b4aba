import type { Sql } from 'postgres';

type Client = Pick<Sql, 'unsafe'>;

/** A plan node in PostgreSQL's JSON format. */
export interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  /** The change of a node of the type `ModifyTable`. */
  Operation?: string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'CTE Name'?: string;
  Filter?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
}

/**
 * Returns the generic plan, which PostgreSQL may use for a prepared statement. A batch of 1,000 rows is a large part of
 * a test table but a small part of a production table. So this plan is for a batch of 10 rows.
 */
export const planOf = (sql: Client, statement: string): Promise<PlanNode> =>
  explain(sql, 'generic_plan, format json', statement.replace('limit 1000\n', 'limit 10\n'));

/** Returns the custom plan, which PostgreSQL makes for these values. */
export const planFor = (
  sql: Client,
  { text, values }: { text: string; values: unknown[] },
): Promise<PlanNode> => explain(sql, 'format json', text, values);

async function explain(sql: Client, how: string, text: string, values: unknown[] = []): Promise<PlanNode> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    `explain (${how}) ${text}`,
    values as never[],
  );
  if (!row) throw new Error('no plan');
  return row['QUERY PLAN'][0].Plan;
}

export const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

export const indexesIn = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap((node) => node['Index Name'] ?? []);

/** The maximum number of rows that a statement may sort. */
const maxSortedRows = 1000;

/**
 * Returns the parts of a plan that grow with these tables: `reads users` for a sequential scan, `walks users by role`
 * for a scan of a whole index that filters by role, and `sorts` for a large sort.
 */
export function burdensOf(plan: PlanNode, tables: readonly string[]): string[] {
  return nodesOf(plan).flatMap((node) => {
    const [input] = node.Plans ?? [];
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'] === 'Sort') return (input?.['Plan Rows'] ?? 0) > maxSortedRows ? ['sorts'] : [];
    if (!tables.includes(table)) return [];
    if (node['Node Type'].endsWith('Seq Scan')) return [`reads ${table}`];
    const isWalk = /^Index (Only )?Scan$/.test(node['Node Type']) && node['Index Cond'] === undefined;
    if (!isWalk) return [];
    return node.Filter === undefined ? [`walks ${table}`] : [`walks ${table} by ${columnsIn(node.Filter)}`];
  });
}

/** Returns the common table expressions whose rows a join aggregates again for each row of its first input. */
export const aggregatedAgain = (plan: PlanNode): string[] =>
  nodesOf(plan).flatMap(({ 'Node Type': type, Plans: [, second] = [] }) =>
    type === 'Nested Loop' && second?.['Node Type'] === 'Aggregate'
      ? nodesOf(second).flatMap((node) => node['CTE Name'] ?? [])
      : [],
  );

/** Returns the columns in a filter. */
const columnsIn = (filter: string): string =>
  [
    ...new Set(
      filter.match(/\b(?:deleted_at|event|outcome|role|status|accepted_at|username|display_name)\b/g),
    ),
  ]
    .sort()
    .join(', ');
