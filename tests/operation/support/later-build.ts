import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { commonPasswords } from '../../../scripts/common-passwords.ts';
import { removeFolder } from '../../support/remove-folder.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The newest schema version of this package. */
export const newest = Math.max(
  ...readdirSync(join(repository, 'src/db/migrations')).map((file) => Number.parseInt(file, 10)),
);

/** A build of a later version of the package, and the example server that uses it. */
export interface LaterBuild {
  /** The program of the example server. */
  program: string;
  remove(): Promise<void>;
}

/**
 * Builds the package from a copy of the sources with two more migrations, and with a right on a new table.
 *
 * @param compatibleWith the oldest schema version that the second migration is compatible with
 */
export async function buildLater(compatibleWith: number): Promise<LaterBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-later-'));
  const inFolder = (path: string) => join(folder, path);
  const copied = ['src', 'package.json', 'examples/server/dist'];
  await Promise.all(copied.map((path) => cp(join(repository, path), inFolder(path), { recursive: true })));
  await symlink(join(repository, 'node_modules'), inFolder('node_modules'));
  await writeFile(inFolder('src/db/migrations/later.ts'), laterMigrations(compatibleWith));
  await change(inFolder('src/db/migrate.ts'), [
    [/^/, `import { laterSessions, laterUsers } from './migrations/later.ts';\n`],
    [/^\];$/m, '  laterUsers,\n  laterSessions,\n];'],
  ]);
  await change(inFolder('src/db/service-role.ts'), [
    [/^ {2}sessions: all,$/m, `  later_notes: 'select, insert',\n  sessions: all,`],
  ]);
  const { dependencies, peerDependencies } = JSON.parse(await readFile(inFolder('package.json'), 'utf8'));
  await build({
    entryPoints: { index: inFolder('src/index.ts'), embedded: inFolder('src/embedded/index.ts') },
    outdir: inFolder('dist/package'),
    bundle: true,
    splitting: true,
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [commonPasswords()],
  });
  return { program: inFolder('examples/server/dist/main.js'), remove: () => removeFolder(folder) };
}

/** Both migrations lock a table that every sign-in changes. */
const laterMigrations = (compatibleWith: number): string => `
export const laterUsers = {
  version: ${newest + 1},
  name: 'later-users',
  compatibleWith: ${newest},
  script: \`
alter table latchkey.users add column later_name text;
create index users_later_name on latchkey.users (later_name);
create table latchkey.later_notes (user_id uuid primary key references latchkey.users (id), note text not null);
\`,
};
export const laterSessions = {
  version: ${newest + 2},
  name: 'later-sessions',
  compatibleWith: ${compatibleWith},
  script: \`
alter table latchkey.sessions add column later_note text not null default '';
\`,
};
`;

async function change(file: string, replacements: [from: RegExp, to: string][]): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [from, to] of replacements) {
    if (!from.test(text)) throw new Error(`${file} does not contain ${from}`);
    text = text.replace(from, to);
  }
  await writeFile(file, text);
}
