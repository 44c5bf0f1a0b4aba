import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Declarations {
  /** By their names, in TypeScript without comments. */
  texts: Map<string, string>;
  /** Under which name others get them, and their own. */
  exports: Map<string, string>;
}

/**
 * What an entry declares, exported or used by what is, by name: the same as long as the types are the same, whatever
 * files the build spreads them over. What comes from other packages stands there as `import("koa").Middleware`.
 *
 * @param path of the entry's built `.d.ts`
 */
export function publicTypesOf(path: string): string {
  const { texts, exports } = read(path);
  const exported = new Set(exports.values());
  return [...texts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => (exported.has(name) ? `export ${text}` : text))
    .join('\n\n');
}

function read(path: string): Declarations {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts = new Map<string, string>();
  const exports = new Map<string, string>();
  /** What stands for a name that is imported. */
  const standIns = new Map<string, string>();

  const keep = (name: string, text: string) => {
    if (texts.has(name) && texts.get(name) !== text) throw new Error(`two declarations are called ${name}`);
    texts.set(name, text);
  };
  /** How a name is told that an import or export takes from there. A file of the build is taken over whole. */
  const namesFrom = (specifier: string): ((name: string) => string) => {
    if (!specifier.startsWith('.')) return (name) => `import("${specifier}").${name}`;
    const part = read(join(dirname(path), specifier.replace(/\.js$/, '.d.ts')));
    for (const [name, text] of part.texts) keep(name, text);
    return (name) => part.exports.get(name) ?? name;
  };

  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const specifier = textOf(statement.moduleSpecifier);
      const toldAs = namesFrom(specifier);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) {
        standIns.set(bindings.name.text, `import("${specifier}")`);
      } else {
        for (const { there, here } of namesOf(bindings?.elements)) standIns.set(here, toldAs(there));
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier, exportClause } = statement;
      const toldAs = moduleSpecifier && namesFrom(textOf(moduleSpecifier));
      for (const { there, here } of namesOf((exportClause as ts.NamedExports).elements)) {
        const own = toldAs?.(there) ?? standIns.get(there) ?? there;
        const isForeign = own.startsWith('import(');
        if (isForeign) keep(here, `type ${here} = ${own};`);
        exports.set(here, isForeign ? here : own);
      }
    }
  }
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) continue;
    for (const name of declaredBy(statement)) keep(name, print(statement, file, standIns));
  }
  return { texts, exports };
}

const textOf = (specifier: ts.Expression): string => (specifier as ts.StringLiteral).text;

/** The names in the braces of an import or export: there, and here. */
const namesOf = (elements: readonly (ts.ExportSpecifier | ts.ImportSpecifier)[] = []) =>
  elements.map(({ name, propertyName }) => ({ there: (propertyName ?? name).text, here: name.text }));

function print(statement: ts.Statement, file: ts.SourceFile, standIns: ReadonlyMap<string, string>): string {
  const { transformed } = ts.transform(statement, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const standIn = ts.isIdentifier(node) && isReference(node) && standIns.get(node.text);
        return standIn ? ts.factory.createIdentifier(standIn) : ts.visitEachChild(node, visit, context);
      };
      return visit(root) as ts.Statement;
    },
  ]);
  const printer = ts.createPrinter({ removeComments: true });
  const [result = statement] = transformed;
  return printer.printNode(ts.EmitHint.Unspecified, result, file).replace(/^declare /, '');
}

/** Whether a name stands for what is declared elsewhere, rather than being that of a member. */
const isReference = ({ parent }: ts.Identifier): boolean =>
  ts.isTypeReferenceNode(parent) ||
  ts.isTypeQueryNode(parent) ||
  ts.isExpressionWithTypeArguments(parent) ||
  ts.isQualifiedName(parent);

function declaredBy(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  }
  const { name } = statement as ts.DeclarationStatement;
  if (!name) throw new Error(`a declaration without a name: ${ts.SyntaxKind[statement.kind]}`);
  return [name.text];
}

/** The names of declarations, in such a text, that have an `any` in them. */
export function anyIn(types: string): string[] {
  const file = ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.Latest);
  const hasAny = (node: ts.Node): boolean =>
    node.kind === ts.SyntaxKind.AnyKeyword || ts.forEachChild(node, hasAny) === true;
  return file.statements.filter(hasAny).flatMap(declaredBy);
}
