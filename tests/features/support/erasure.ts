import type { TestService } from '../../support/test-service.ts';

/** Returns every row of every table of the schema as a line of text, after the name of its table. */
export async function everyRow({ database: { sql } }: Pick<TestService, 'database'>): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'latchkey' order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ line: string }[]>`select t::text as line from ${sql(`latchkey.${name}`)} as t`;
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines;
}

export const erase = (service: Pick<TestService, 'auth'>, id: string) =>
  service.auth.asOperator('privacy desk').users.erase(id);

export const pseudonymPattern = /^erased:[\da-f]{16}$/;
