import { expect, test } from 'vitest';
import { examineUsernames } from '../../../cli/doctor/usernames.ts';

test.each([
  [1, '1 user has a username that the option usernames (USERNAMES) does not allow'],
  [12, '12 users have usernames that the option usernames (USERNAMES) does not allow'],
])('the doctor warns about %i user(s) who signed up under another rule', (count, message) => {
  expect(examineUsernames(count)).toMatchObject([{ name: 'Usernames', level: 'warning', message }]);
});

test('the doctor has no warning if all usernames follow the rule', () => {
  expect(examineUsernames(0)).toEqual([]);
});
