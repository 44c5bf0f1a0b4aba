import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { code, table } from '../markdown.ts';

/** A member of an interface: its name, its type and the first sentence of its comment. */
interface Member {
  name: string;
  type: string;
  summary: string;
}

/** The generated parts of docs/reference/client.md, by name. */
export const clientParts = (): Record<string, string> => ({
  methods: methodsOf('auth', membersOf('src/client/auth-client.ts', 'AuthClient')),
  options: membersTable('Option', membersOf('src/client/auth-client.ts', 'AuthClientOptions')),
});

/** A table of the methods of `object`, and a section for each group of methods, such as `auth.passkeys`. */
function methodsOf(object: string, members: readonly Member[]): string {
  const groups = members.filter(({ type }) => /Client(<.*>)?$/.test(type));
  const sections = groups.map(({ name, type }) => {
    const typeName = type.replace(/<.*/, '');
    const group = `${object}.${name}`;
    return `### ${group}\n\n${methodsOf(group, membersOf(fileOf(typeName), typeName))}`;
  });
  return [
    methodsTable(
      object,
      members.filter((member) => !groups.includes(member)),
    ),
    ...sections,
  ].join('\n\n');
}

/** The generated parts of docs/reference/test-kit.md, by name. */
export const testKitParts = (): Record<string, string> => ({
  kit: methodsTable('kit', membersOf('src/testing/kit/test-auth-service.ts', 'TestAuthService')),
  options: membersTable(
    'Option',
    membersOf('src/testing/kit/test-auth-service.ts', 'TestAuthServiceOptions'),
  ),
  person: membersTable('Property', membersOf('src/testing/kit/test-auth-service.ts', 'TestPerson')),
  agent: methodsTable('agent', [
    ...membersOf('src/testing/kit/test-agent.ts', 'TestAgent'),
    ...membersOf('src/testing/kit/test-auth-service.ts', 'SignedInAgent'),
  ]),
  clock: methodsTable('kit.clock', membersOf('src/testing/kit/test-clock.ts', 'TestClock')),
  database: methodsTable('database', membersOf('src/testing/database/test-database.ts', 'TestDatabase')),
  'database-options': membersTable(
    'Option',
    membersOf('src/testing/database/test-database.ts', 'TestDatabaseOptions'),
  ),
});

const clientIndex = readFileSync('src/client/index.ts', 'utf8');

function fileOf(type: string): string {
  const [, path] =
    new RegExp(`\\{[^}]*\\b${type}\\b[^}]*\\} from '\\./([\\w-]+\\.ts)'`).exec(clientIndex) ?? [];
  if (path === undefined) throw new Error(`src/client/index.ts does not export the type ${type}`);
  return `src/client/${path}`;
}

const methodsTable = (object: string, members: readonly Member[]): string =>
  table(
    ['Call', ''],
    members.map(({ name, summary }) => [code(`${object}.${name}`), summary]),
  );

const membersTable = (head: string, members: readonly Member[]): string =>
  table(
    [head, ''],
    members.map(({ name, summary }) => [code(name.replace(/\(.*/, '')), summary]),
  );

function membersOf(path: string, name: string): Member[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  );
  if (!declaration) throw new Error(`${path} does not declare the interface ${name}`);
  const members = declaration.members.map((member) => ({
    name: nameOf(member),
    type: ts.isPropertySignature(member) ? (member.type?.getText() ?? '') : '',
    summary: summaryOf(member),
  }));
  // Only one overload has a comment.
  return members.filter(({ name, summary }) => {
    const [word = ''] = name.split('(');
    return summary !== '' || members.filter((other) => other.name.startsWith(`${word}(`)).length < 2;
  });
}

/** `signUp(person)`. */
function nameOf(member: ts.TypeElement): string {
  const name = member.name?.getText() ?? '';
  if (!ts.isMethodSignature(member)) return name;
  const parameters = member.parameters.map(
    ({ name, questionToken }) => `${name.getText()}${questionToken ? '?' : ''}`,
  );
  return `${name}(${parameters.join(', ')})`;
}

const summaryOf = (member: ts.TypeElement): string =>
  ts
    .getJSDocCommentsAndTags(member)
    .filter(ts.isJSDoc)
    .map(({ comment }) => `${ts.getTextOfJSDocComment(comment) ?? ''}`.replaceAll(/\s+/g, ' ').trim())
    .join(' ');
