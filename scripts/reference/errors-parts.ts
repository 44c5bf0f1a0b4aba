import { clientErrors } from '../../src/client/errors.ts';
import { errorTable } from '../../src/core/errors.ts';
import { commentsIn } from '../doc-comments.ts';
import { code, table } from '../markdown.ts';

/** The generated parts of docs/reference/errors.md, by name. */
export const errorsParts = (): Record<string, string> => ({
  errors: table(
    ['Code', 'Status', 'What happened', 'What to do'],
    Object.entries(errorTable).map(([name, { status, title, nextStep }]) => [
      code(name),
      `${status}`,
      title,
      nextStep,
    ]),
  ),
  'client-errors': table(
    ['Code', 'What happened', 'What to do'],
    Object.entries(clientErrors).map(([name, { title, nextStep }]) => [code(name), title, nextStep]),
  ),
  'token-errors': codesIn('src/service-token/error.ts', 'ServiceTokenErrorCode'),
  'embedded-errors': codesIn('src/embedded/embedded-postgres-error.ts', 'EmbeddedPostgresErrorCode'),
});

/** The codes that the comment of a type lists. */
function codesIn(path: string, type: string): string {
  const listed = commentsIn(path, type)[type] ?? '';
  const rows = [...listed.matchAll(/- `(\w+)`: (.*?)(?= - `|$)/g)].map(([, name = '', about = '']) => [
    code(name),
    about.startsWith('npm') ? about : `${about[0]?.toUpperCase()}${about.slice(1)}`,
  ]);
  if (rows.length === 0) throw new Error(`${path}: the comment of ${type} lists no codes`);
  return table(['Code', 'Meaning'], rows);
}
