import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { sourcePaths } from './source-paths.ts';

/** One import of a file in any form: import, export … from, import(), import type. */
export interface Import {
  from: string;
  /** A path relative to the root of the repository, or an unchanged package specifier. */
  to: string;
  /** Whether the import is only for types. Such an import has no effect at run time. */
  typeOnly: boolean;
  /** Whether the import is loaded before the file runs, unlike `import()`. */
  isStatic: boolean;
}

export interface SourceFile {
  path: string;
  imports: Import[];
  /** The text of every string and template, without comments. */
  texts: string[];
}

export type ImportGraph = ReadonlyMap<string, SourceFile>;

/** Reads all TypeScript files of the given folders. Paths are relative to the root of the repository. */
export function readGraph(root: string, folders: readonly string[]): ImportGraph {
  const paths = sourcePaths(root, folders);
  return graphOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
}

/** Returns the graph of the given sources. The keys are paths. */
export const graphOf = (sources: Record<string, string>): ImportGraph =>
  new Map(Object.entries(sources).map(([path, source]) => [path, parse(path, source)]));

function parse(path: string, source: string): SourceFile {
  const imports: Import[] = [];
  const texts: string[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, isStatic = true) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    imports.push({
      from: path,
      to: text.startsWith('.') ? normalize(join(dirname(path), text)) : text,
      typeOnly,
      isStatic,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeOnly(node.importClause));
      return;
    }
    if (ts.isExportDeclaration(node)) {
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
      add(
        node.moduleSpecifier,
        node.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly)),
      );
      return;
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, false);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return { path, imports, texts };
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  const { elements } = namedBindings;
  return elements.length > 0 && elements.every((element) => element.isTypeOnly);
}

/** Returns all files and packages that a file imports directly or indirectly, each with the chain of imports. */
export function reachedFrom(
  graph: ImportGraph,
  start: string,
  follow: (edge: Import) => boolean = () => true,
) {
  const chains = new Map<string, string[]>([[start, [start]]]);
  for (const [path, chain] of chains) {
    for (const edge of graph.get(path)?.imports ?? []) {
      if (follow(edge) && !chains.has(edge.to)) chains.set(edge.to, [...chain, edge.to]);
    }
  }
  chains.delete(start);
  return chains;
}

/**
 * Returns at least one cycle for each node that is part of a cycle, and no cycle twice. A cycle starts with the node
 * that is first in alphabetical order.
 */
export function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found = new Set<string>();
  for (const start of [...edges.keys()].sort()) {
    const chains = new Map<string, string[]>([[start, [start]]]);
    for (const [node, chain] of chains) {
      for (const next of edges.get(node) ?? []) {
        if (next === start) {
          const first = chain.indexOf([...chain].sort()[0] ?? start);
          const cycle = [...chain.slice(first), ...chain.slice(0, first)];
          found.add([...cycle, cycle[0]].join(' -> '));
        } else if (!chains.has(next)) chains.set(next, [...chain, next]);
      }
    }
  }
  return [...found];
}
