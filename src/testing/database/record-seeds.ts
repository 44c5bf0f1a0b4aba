import type { Sql as PostgresClient } from 'postgres';
import { readSeeds, recordSequences, resetScript } from './reset-script.ts';

interface Seeded {
  oid: string;
  name: string;
  columns: string;
  /** The tables that this table references. */
  needs: string[];
}

/**
 * Copies the rows of the database, so that a reset can restore them.
 *
 * @throws Error if tables with rows reference each other in a cycle
 */
export async function recordSeeds(client: PostgresClient): Promise<void> {
  await client.unsafe(resetScript);
  const seeded = await client.unsafe<Seeded[]>(readSeeds);
  for (const [place, { name, columns }] of inOrderOfReferences(seeded).entries()) {
    const copy = `seed_${place}`;
    await client.unsafe(`create table latchkey_test.${copy} as table ${name}`);
    await client`
      insert into latchkey_test.seeds (place, target, copy, columns)
      values (${place}, ${name}, ${copy}, ${columns})`;
  }
  await client.unsafe(recordSequences);
}

/** A table comes after the tables that it references. */
function inOrderOfReferences(tables: readonly Seeded[]): Seeded[] {
  const ordered: Seeded[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const isReady = ({ needs }: Seeded) => !waiting.some(({ oid }) => needs.includes(oid));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) {
      const names = waiting.map(({ name }) => name).join(', ');
      throw new Error(
        `createTestDatabase: expected rows that can be inserted one table after the other, but these tables reference each other in a cycle: ${names}. Insert their rows in the tests instead of \`setup\`.`,
      );
    }
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}
