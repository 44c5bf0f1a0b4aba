import type { Statement } from 'latchkey';

const changing =
  /\b(token_hash|user_id|kind|method|ends_at|epoch|role|status|session_epoch|username|display_name|deleted_at) =/;

/**
 * Returns the parts of a statement that delete or change cached sessions or their users. Skips expired sessions and
 * recovery sessions, which are never cached.
 */
export function changesIn({ text, values }: Pick<Statement, 'text' | 'values'>): string[] {
  const parts = text.match(/(?:delete from|update) latchkey\.(?:sessions|users)\b.*?(?=returning|$)/gs) ?? [];
  return parts.filter((part) => {
    const [change = '', whose = ''] = part.split(/\bwhere\b/);
    const [, placeholder] = /^ (?:token_hash|id) = \$(\d+)/.exec(whose) ?? [];
    // A part whose id or token is null matches no row, so it changes nothing.
    const isOfNone = placeholder !== undefined && values[Number(placeholder) - 1] === null;
    const isUncached = /^ (?:id = any\(array\(select id from expired\)\)|kind = 'recovery' )/.test(whose);
    return !isOfNone && !isUncached && (part.startsWith('delete') || changing.test(change));
  });
}

/** @throws Error if the statement changes more cached data than it declares in `invalidates` */
export function assertInvalidating(statement: Statement): void {
  if (statement.invalidates.length < changesIn(statement).length)
    throw new Error(`the statement does not declare all cached reads that it invalidates: ${statement.text}`);
}
