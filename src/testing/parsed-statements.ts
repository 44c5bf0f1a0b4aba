/**
 * The parsed statements, by text. Each text is parsed only once, because parsing is the slowest part of a statement in
 * memory. The map stays small, because statement texts are constant.
 */
const parsed = new Map<string, unknown>();

/** @throws Error if the parser does not support the statement */
export function parsedOnce<Ast>(text: string, parse: (text: string) => Ast): Ast {
  const known = parsed.get(text) as Ast | undefined;
  if (known !== undefined) return known;
  try {
    const ast = parse(text);
    parsed.set(text, ast);
    return ast;
  } catch (cause) {
    const message =
      'pg-mem does not support this statement. If it is correct, run the test on a real PostgreSQL.';
    throw new Error(message, { cause });
  }
}

/** Returns a copy of a parsed statement, with literals instead of the placeholders (`$1`, `$2`…). */
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
