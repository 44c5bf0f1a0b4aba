import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface Declarations {
  /** The text of each declaration without comments. The keys are names. */
  texts: Map<string, string>;
  /** The name of the declaration for each exported name. */
  exports: Map<string, string>;
}

/**
 * Returns the exported declarations of an entry and the declarations that they use, sorted by name. The text does not
 * depend on the files of the build. Types of other packages appear as `import("koa").Middleware`.
 *
 * @param path the path of the entry's built `.d.ts`
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
  /** The replacement for each imported name. */
  const replacements = new Map<string, string>();

  const keep = (declared: string, text: string) => {
    // A module can extend the global types several times.
    const name = declared === 'global' ? `global ${text}` : declared;
    if (texts.has(name) && texts.get(name) !== text) throw new Error(`two declarations are called ${name}`);
    texts.set(name, text);
  };
  /**
   * Returns a function. The function takes a name that the given module exports, and returns the replacement for this
   * name. If the module is a built file, `namesFrom` also keeps all declarations of the module.
   */
  const namesFrom = (specifier: string): ((name: string) => string) => {
    if (!specifier.startsWith('.')) return (name) => `import("${specifier}").${name}`;
    const part = read(join(dirname(path), specifier.replace(/\.js$/, '.d.ts')));
    for (const [name, text] of part.texts) keep(name, text);
    return (name) => part.exports.get(name) ?? name;
  };

  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const specifier = textOf(statement.moduleSpecifier);
      const textFor = namesFrom(specifier);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) {
        replacements.set(bindings.name.text, `import("${specifier}")`);
      } else {
        for (const { original, local } of namesOf(bindings?.elements))
          replacements.set(local, textFor(original));
      }
    } else if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier, exportClause } = statement;
      const textFor = moduleSpecifier && namesFrom(textOf(moduleSpecifier));
      for (const { original, local } of namesOf((exportClause as ts.NamedExports).elements)) {
        const own = textFor?.(original) ?? replacements.get(original) ?? original;
        const isForeign = own.startsWith('import(');
        if (isForeign) keep(local, `type ${local} = ${own};`);
        exports.set(local, isForeign ? local : own);
      }
    }
  }
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) continue;
    for (const name of declaredBy(statement)) keep(name, print(statement, file, replacements));
  }
  return { texts, exports };
}

const textOf = (specifier: ts.Expression): string => (specifier as ts.StringLiteral).text;

/** The original and local names in the braces of an import or export. */
const namesOf = (elements: readonly (ts.ExportSpecifier | ts.ImportSpecifier)[] = []) =>
  elements.map(({ name, propertyName }) => ({ original: (propertyName ?? name).text, local: name.text }));

function print(
  statement: ts.Statement,
  file: ts.SourceFile,
  replacements: ReadonlyMap<string, string>,
): string {
  const { transformed } = ts.transform(statement, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const replacement = ts.isIdentifier(node) && isReference(node) && replacements.get(node.text);
        return replacement
          ? ts.factory.createIdentifier(replacement)
          : ts.visitEachChild(node, visit, context);
      };
      return visit(root) as ts.Statement;
    },
  ]);
  const printer = ts.createPrinter({ removeComments: true });
  const [result = statement] = transformed;
  return printer.printNode(ts.EmitHint.Unspecified, result, file).replace(/^declare /, '');
}

/** Returns whether an identifier refers to a declaration, and is not the name of a property. */
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

/** Returns the names of the declarations that contain `any`. */
export function anyIn(types: string): string[] {
  const file = ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.Latest);
  const hasAny = (node: ts.Node): boolean =>
    node.kind === ts.SyntaxKind.AnyKeyword || ts.forEachChild(node, hasAny) === true;
  return file.statements.filter(hasAny).flatMap(declaredBy);
}
