import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildChildProgram } from '../support/child-program.ts';

test('in development without JWT_SECRET, eight processes that start concurrently in the same directory create only one secret', async () => {
  const project = mkdtempSync(join(tmpdir(), 'latchkey-kept-secret-'));
  const program = await buildChildProgram('tests/core/support/kept-secret-program.ts');
  onTestFinished(() => {
    program.remove();
    rmSync(project, { recursive: true, force: true });
  });
  const answers = await program.runAtOnce(8, { cwd: project });
  expect(answers.map(({ errors }) => errors).join('')).toBe('');
  const secrets = answers.map(({ answer }) => answer[0]);
  expect(secrets).toHaveLength(8);
  expect(new Set(secrets)).toEqual(
    new Set([readFileSync(join(project, '.latchkey', 'jwt-secret'), 'utf8').trim()]),
  );
  expect(readdirSync(join(project, '.latchkey')).sort()).toEqual(['.gitignore', 'jwt-secret']);
});
