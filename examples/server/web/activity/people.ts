import type { Choice, Part } from './choice.ts';
import { findPerson, isId } from './find-person.ts';

/** The ids of the users in a choice, or the first username that is unknown. */
export type People = { ids: Partial<Record<Part, string>> } | { unknown: string };

const parts: readonly Part[] = ['actor', 'target', 'impersonator'];

/** Finds the users of a choice. The pages write ids into the URL, but users can also type usernames into it. */
export async function peopleOf(choice: Choice, signal?: AbortSignal): Promise<People> {
  const ids: Partial<Record<Part, string>> = {};
  for (const part of parts) {
    const given = choice[part];
    if (given === '') continue;
    const id = isId(given) ? given : await findPerson(given, signal);
    if (id === null) return { unknown: given };
    ids[part] = id;
  }
  return { ids };
}

const names = new Map<string, string>();

/** Remembers the username of an id, so that a filter shows the name and not the id. */
export const rememberName = (id: string, username: string): void => void names.set(id, username);

/** The name to show for a user in a choice. */
export const nameOf = (given: string): string => names.get(given) ?? given;
