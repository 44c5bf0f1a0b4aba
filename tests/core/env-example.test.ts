import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { readConfiguration } from 'latchkey';
import { expect, test } from 'vitest';
import { lifetimeVariables } from '../../src/core/config-lifetimes.ts';
import { variables } from '../../src/core/config-options.ts';
import { sourcePaths } from '../package/support/source-paths.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const example = parseEnv(readFileSync(`${repository}/.env.example`, 'utf8'));
const variablesOfRoles = Object.values(lifetimeVariables).flatMap((names) => Object.values(names));
const required = {
  DATABASE_URL: 'postgresql://localhost/shop',
  JWT_SECRET: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
};

test('.env.example has every environment variable of an option', () => {
  expect(Object.keys(example)).toEqual(
    expect.arrayContaining([...Object.values(variables), ...variablesOfRoles]),
  );
});

test('the values in .env.example are the defaults', () => {
  expect(readConfiguration({ env: { ...example, ...required } })).toEqual(
    readConfiguration({ env: required }),
  );
});

test('the code reads every variable in .env.example', () => {
  const paths = sourcePaths(repository, ['src', 'cli', 'examples']);
  const source = paths.map((path) => readFileSync(`${repository}/${path}`, 'utf8')).join('\n');
  const words = new Set(source.match(/\b[A-Z_]+\b/g));
  expect(Object.keys(example).filter((name) => !words.has(name))).toEqual([]);
});
