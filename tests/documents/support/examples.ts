import { join } from 'node:path/posix';
import ts from 'typescript';

/** The entries of the package. */
const entries: Readonly<Record<string, string>> = {
  latchkey: 'src/index.ts',
  'latchkey/client': 'src/client/index.ts',
  'latchkey/elements': 'src/elements/index.ts',
  'latchkey/testing': 'src/testing/index.ts',
  'latchkey/embedded': 'src/embedded/index.ts',
  'latchkey/service-token': 'src/service-token/index.ts',
};

/** What examples use without a declaration, by entry. */
const given: Readonly<Record<string, string>> = {
  latchkey: `import type { AuditEvent, AuthService } from 'latchkey';
declare const auth: AuthService<'file:manage'>;
declare const event: AuditEvent;`,
  'latchkey/client': `import type { AuditEvent, AuthClient } from 'latchkey/client';
declare const auth: AuthClient;
declare const event: AuditEvent;`,
  'latchkey/testing': `import type { AuthService } from 'latchkey';
import type { SignedInAgent, SoftwareAuthenticator, TestAuthService } from 'latchkey/testing';
declare const auth: AuthService;
declare const kit: TestAuthService;
declare const ada: SignedInAgent;
declare const authenticator: SoftwareAuthenticator;
declare const signedInAs: TestAuthService['signedInAs'];`,
};

/** An `@example` in a comment of an exported declaration or of its members. */
export interface DocumentedExample {
  entry: string;
  /** The exported name, such as `AuthService`. */
  name: string;
  /** The file and the line. */
  place: string;
  code: string;
}

export interface DocumentedExports {
  examples: DocumentedExample[];
  /** The exported functions and classes whose comment has no example. */
  withoutExample: string[];
  /** The exported names of each entry. */
  names: Readonly<Record<string, readonly string[]>>;
  program: ts.Program;
}

const options = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile('tsconfig.docs.json', ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  return {
    ...parsed.options,
    verbatimModuleSyntax: false,
    isolatedModules: false,
    noUncheckedIndexedAccess: false,
    noEmit: true,
  };
};

/** Reads the comments of everything that the package exports. */
export function readExports(): DocumentedExports {
  const program = ts.createProgram(Object.values(entries), options());
  const checker = program.getTypeChecker();
  const examples: DocumentedExample[] = [];
  const withoutExample: string[] = [];
  const names: Record<string, string[]> = {};
  for (const [entry, path] of Object.entries(entries)) {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${path} exports nothing`);
    names[entry] = checker.getExportsOfModule(module).map(({ name }) => name);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const own = (symbol.declarations ?? []).flatMap((node) => examplesAt(node));
      const all = (symbol.declarations ?? []).flatMap((node) => examplesIn(node));
      examples.push(...all.map((example) => ({ entry, name: exported.name, ...example })));
      if (own.length === 0 && isFunctionOrClass(symbol, checker))
        withoutExample.push(`${entry}: ${exported.name}`);
    }
  }
  return { examples, withoutExample, names, program };
}

function isFunctionOrClass(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const { valueDeclaration } = symbol;
  if (!valueDeclaration) return false;
  if (ts.isClassDeclaration(valueDeclaration) || ts.isFunctionDeclaration(valueDeclaration)) return true;
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
}

type Found = Pick<DocumentedExample, 'place' | 'code'>;

function examplesAt(node: ts.Node): Found[] {
  const file = node.getSourceFile();
  return ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === 'example')
    .map((tag) => {
      const { line } = file.getLineAndCharacterOfPosition(tag.getStart(file));
      const text = `${ts.getTextOfJSDocComment(tag.comment) ?? ''}`;
      const path = file.fileName.slice(process.cwd().length + 1);
      return { place: `${path}:${line + 1}`, code: text.replace(/^```\w*\n([\s\S]*?)\n```$/m, '$1') };
    });
}

function examplesIn(node: ts.Node): Found[] {
  const members: Found[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isTypeElement(child) || ts.isClassElement(child)) members.push(...examplesAt(child));
    if (!ts.isBlock(child)) ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return [...examplesAt(node), ...members];
}

/**
 * Compiles examples in one program. The exported names of their entry are imported, and `auth` and `kit` have their types.
 * Other names that an example does not declare, such as `createApp`, belong to the application and have any type.
 *
 * @returns one message for each error
 */
export function errorsOf(
  examples: readonly DocumentedExample[],
  { names, program: earlier }: DocumentedExports,
): string[] {
  const files = new Map(
    examples.map((example, index) => [
      join(process.cwd().replaceAll('\\', '/'), `src/example-${index}.ts`),
      { example, text: moduleOf(example, names[example.entry] ?? []) },
    ]),
  );
  const settings = options();
  const host = ts.createCompilerHost(settings);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path)?.text;
    return text === undefined
      ? getSourceFile.call(host, path, version, ...rest)
      : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...files.keys()], settings, host, earlier);
  return [...files].flatMap(([path, { example, text }]) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found
      .filter(({ code, messageText }) => !ofApplication.has(code) && !isSimilarName(code, `${messageText}`))
      .map(({ messageText, start = 0 }) => {
        const line = text.slice(0, start).split('\n').length - 1;
        return `${example.place} ${example.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')} in: ${text.split('\n')[line]}`;
      });
  });
}

/**
 * "Cannot find name", "No value exists for the shorthand property" and "Cannot find module": the application has it. "is
 * implicitly any": its type comes from the application.
 */
const ofApplication = new Set([2304, 2307, 2503, 18004, 7005, 7006, 7031, 7034]);

/** "Cannot find name 'Router'. Did you mean 'router'?": both belong to the application. */
const isSimilarName = (code: number, message: string): boolean =>
  code === 2552 && /'router'\?$/.test(message);

/** The text of a module with the example. */
function moduleOf({ entry, code }: DocumentedExample, exported: readonly string[]): string {
  const isExpression = /^[({[]/.test(code) && !/^\{\n/.test(code);
  const body = isExpression ? `void (${code.replace(/;$/, '')});` : code;
  const parsed = ts.createSourceFile('example.ts', body, ts.ScriptTarget.Latest, true);
  const imports = parsed.statements.filter(ts.isImportDeclaration);
  const rest = parsed.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const declared = new Set(parsed.statements.flatMap(namesDeclaredBy));
  const context = (given[entry] ?? '')
    .split('\n')
    .filter((line) => !declared.has(/declare const (\w+)/.exec(line)?.[1] ?? ''));
  const contextNames = context.flatMap((line) =>
    [...line.matchAll(/import type \{ ([^}]*) \}/g)].flatMap(([, list = '']) => list.split(', ')),
  );
  const used = new Set(body.match(/\w+/g));
  const free = exported.filter(
    (name) => used.has(name) && !declared.has(name) && !contextNames.includes(name),
  );
  const text = (nodes: readonly ts.Statement[]) => nodes.map((node) => node.getText()).join('\n');
  const isModule = rest.some((node) => /^export /.test(node.getText()));
  return [
    free.length > 0 ? `import { ${free.join(', ')} } from '${entry}';` : '',
    ...context,
    text(imports),
    isModule ? text(rest) : `export async function example() {\n${text(rest)}\n}`,
  ].join('\n');
}

function namesDeclaredBy(statement: ts.Statement): string[] {
  if (ts.isImportDeclaration(statement)) {
    const { importClause } = statement;
    const bindings = importClause?.namedBindings;
    const named =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
    return [...named, ...(importClause?.name ? [importClause.name.text] : [])];
  }
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [statement.name.text] : [];
  return [];
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
