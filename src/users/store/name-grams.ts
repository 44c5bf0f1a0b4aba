import { type Sql, sql } from '../../db/sql.ts';

/** A condition: the username or the display name of the user contains the text. Ignores case. */
export function nameContains(search: string): Sql {
  const text = search.normalize('NFC');
  return sql`
    (strpos(lower(users.username), lower(${text}::text)) > 0
      or strpos(lower(users.display_name), lower(${text}::text)) > 0)`;
}

/**
 * A condition that is weaker than `nameContains`, but can use an index: the names contain each text of three characters
 * that the search contains, or the search itself if it is shorter. A statement needs both conditions.
 */
export function hasNameGrams(search: string): Sql {
  const text = search.normalize('NFC');
  return sql`
    latchkey.name_grams(lower(users.username), lower(users.display_name)) @> array(
      select substr(lower(${text}::text), place, 3)
      from generate_series(1, greatest(length(lower(${text}::text)) - 2, 1)) as place)`;
}
