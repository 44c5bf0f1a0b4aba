import { expect, test } from 'vitest';
import { errorsOf, readExports } from './support/examples.ts';

const exported = readExports();
const wrong = [
  'await auth.passkeyOf(user.id);',
  'await createAuthService({ sessionTtl: 5 });',
  'app.use(createAuthRouter(auth).routes());',
].map((code) => ({ entry: 'latchkey', name: 'example', place: 'wrong:1', code }));
// All examples are compiled in one program, because a program needs several seconds.
const errors = errorsOf([...exported.examples, ...wrong], exported);

test('every exported function and class has an example in its comment', () => {
  expect(exported.withoutExample).toEqual([]);
});

test('the examples in the comments of exported names compile', () => {
  expect(exported.examples.length).toBeGreaterThan(100);
  expect(errors.filter((error) => !error.startsWith('wrong:'))).toEqual([]);
});

test('an example with a wrong method or option does not compile', () => {
  expect(errors.filter((error) => error.startsWith('wrong:'))).toEqual([
    expect.stringContaining("'passkeyOf' does not exist"),
    expect.stringContaining("'sessionTtl' does not exist"),
  ]);
});
