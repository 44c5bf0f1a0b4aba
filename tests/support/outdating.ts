import type { Statement } from 'latchkey';

const changing =
  /\b(token_hash|user_id|kind|method|ends_at|epoch|role|status|session_epoch|username|display_name|deleted_at) =/;

/**
 * The parts of a statement that end or change sessions, or the users that they belong to. Expired sessions and recovery
 * sessions do not count: no process caches them.
 */
export function changesIn({ text, values }: Pick<Statement, 'text' | 'values'>): string[] {
  const parts = text.match(/(?:delete from|update) latchkey\.(?:sessions|users)\b.*?(?=returning|$)/gs) ?? [];
  return parts.filter((part) => {
    const [change = '', whose = ''] = part.split(/\bwhere\b/);
    const [, placeholder] = /^ (?:token_hash|id) = \$(\d+)/.exec(whose) ?? [];
    // No session was presented, or none is rotated.
    const isOfNone = placeholder !== undefined && values[Number(placeholder) - 1] === null;
    const isUncached = /^ (?:id in \(select id from expired\)|kind = 'recovery' )/.test(whose);
    return !isOfNone && !isUncached && (part.startsWith('delete') || changing.test(change));
  });
}

/** @throws Error for a statement that changes more than it says to outdate */
export function assertOutdating(statement: Statement): void {
  if (statement.outdated.length < changesIn(statement).length)
    throw new Error(`does not say what it outdates: ${statement.text}`);
}
