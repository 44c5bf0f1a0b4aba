import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { installPackage, repository } from './support/installed-package.ts';
import { findCompilers } from './support/other-versions.ts';

const run = promisify(execFile);
const compilers = findCompilers();
let folder: string;

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // Checks all declarations of the package and of its dependencies, but not the declarations of TypeScript.
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
};

/** Creates a folder with a test program, these compiler options and additional files. */
function writeProject(
  name: string,
  compilerOptions: Record<string, unknown>,
  more: Record<string, string> = {},
): void {
  const project = join(folder, name);
  mkdirSync(project);
  const program = `tests/package/support/${name}-program.ts`;
  copyFileSync(join(repository, program), join(project, 'program.ts'));
  const settings = { compilerOptions: { ...strictest, ...compilerOptions } };
  for (const [file, text] of Object.entries({ ...more, 'tsconfig.json': JSON.stringify(settings) })) {
    writeFileSync(join(project, file), text);
  }
}

/** Returns the errors of the compiler, or an empty string. */
const compilerErrorsOf = (compiler: string, project: string): Promise<string> =>
  run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], { cwd: folder }).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );

beforeAll(async () => {
  folder = await installPackage();
  writeProject(
    'server-types',
    { module: 'nodenext', target: 'es2023', lib: ['es2023'] },
    {
      'commonjs.cts': `import latchkey = require('latchkey');
        export const open: typeof latchkey.openSchema = latchkey.openSchema;
        // @ts-expect-error no such export
        latchkey.nothing;`,
    },
  );
  writeProject(
    'browser-types',
    { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'], types: [] },
    { 'page.ts': '// @ts-expect-error no such name here\nprocess.exit();' },
  );
});

describe.each(compilers.map(({ version, path }) => [version, path]))(
  'with TypeScript %s and without skipLibCheck, the types compile',
  (_, path) => {
    test('in a server application with ES modules and CommonJS', async () => {
      expect(await compilerErrorsOf(path, 'server-types')).toBe('');
    });

    test('in a page without the types of Node.js', async () => {
      expect(await compilerErrorsOf(path, 'browser-types')).toBe('');
    });
  },
);

test('TypeScript 5.9 and a newer version are tested', ({ skip }) => {
  if (compilers.length === 1) skip();
  const [oldest, newest] = compilers.map(({ version }) => version.split('.').slice(0, 2).join('.'));
  expect(oldest).toBe('5.9');
  expect(newest).not.toBe('5.9');
});
