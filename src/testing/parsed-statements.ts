/**
 * Parsing is most of what a statement costs in memory, and the texts that are sent are constant and few: each is
 * parsed once a process, with its placeholders.
 */
const parsed = new Map<string, unknown>();

/** @throws Error for what the parser does not know */
export function parsedOnce<Ast>(text: string, parse: (text: string) => Ast): Ast {
  const known = parsed.get(text) as Ast | undefined;
  if (known !== undefined) return known;
  try {
    const ast = parse(text);
    parsed.set(text, ast);
    return ast;
  } catch (cause) {
    throw new Error('pg-mem cannot run this statement; if it is right, a real PostgreSQL can', { cause });
  }
}

/** A copy of a statement's tree with its values in the places of `$1`, `$2`…, each a literal as `'…'` would be. */
export function withValues<Ast>(ast: Ast, values: readonly unknown[]): Ast {
  const filled = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(filled);
    if (typeof node !== 'object' || node === null) return node;
    if (isParameter(node)) return literal(values[Number(node.name.slice(1)) - 1]);
    return Object.fromEntries(Object.entries(node).map(([member, inner]) => [member, filled(inner)]));
  };
  return filled(ast) as Ast;
}

const isParameter = (node: object): node is { name: string } => 'type' in node && node.type === 'parameter';

const literal = (value: unknown) =>
  value == null
    ? { type: 'null' }
    : { type: 'string', value: value instanceof Date ? value.toISOString() : `${value}` };
