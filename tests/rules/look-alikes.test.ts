import { describe, expect, test } from 'vitest';
import { handleRule } from '../../src/core/username-rule.ts';
import { skeletonOf } from '../../src/users/look-alikes.ts';
import { canonicalUsername } from '../../src/users/rules.ts';

describe('two usernames have the same skeleton if', () => {
  test.each([
    ['one has a zero instead of an o', 'r00t', 'root'],
    ['one has a 1 instead of an i', 'adm1n', 'admin'],
    ['one has a 1 instead of an l', 'c1ara', 'clara'],
    ['one has an l instead of an i', 'adrlan', 'adrian'],
    ['one has rn instead of m', 'adrnin', 'admin'],
    ['one has vv instead of w', 'vvendy', 'wendy'],
    ['one has digits that are read as letters', '4ll3573r', 'allester'],
    ['one has a 7 instead of a t', 'pe7er', 'peter'],
    ['one has an 8 instead of a b', 'ro8ert', 'robert'],
    ['one has separators', 'a.d-m_in', 'admin'],
    ['both have separators at different places', 'an-na.k', 'anna_k'],
    ['one has a 1 instead of an l after a digit at the end', 'user51', 'user5l'],
    ['one has an o instead of a zero after a digit at the end', 'anna80', 'anna8o'],
    ['one has an i instead of a 1 between digits at the end', 'kim.471', 'kim4.7i'],
    ['one has digits, separators and rn instead of m', '4.drn-1n', 'admin'],
  ])('%s: %s and %s', (_, one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });
});

describe('two usernames have different skeletons if', () => {
  test.each([
    ['the letters differ', 'anna', 'anne'],
    ['the numbers at the end differ', 'anna3', 'anna8'],
    ['a digit at the end is not read as a letter', 'user5', 'users'],
    ['only one ends with a number', 'anna4', 'anna'],
    ['the digits look different', 'anna2000', 'anna6000'],
    ['the letters are in another order', 'ab', 'ba'],
  ])('%s: %s and %s', (_, one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other));
  });

  test('the usernames consist of digits that differ', () => {
    const skeletons = Array.from({ length: 1000 }, (_, n) => skeletonOf(`${n}`.padStart(3, '0')));
    expect(new Set(skeletons).size).toBe(1000);
  });
});

describe('a username is reserved if it', () => {
  test.each([
    ['has a digit instead of a letter', 'adm1n'],
    ['has two zeros', 'r00t'],
    ['has rn instead of m', 'adrnin'],
    ['has rn instead of m, and a 1', 'adrn1n'],
    ['has an l instead of an i', 'admln'],
    ['has separators', 'a.d-min'],
    ['has a separator between all letters', 'r_o.o-t'],
    ['is in leetspeak', '5up3r4dm1n'],
    ['is in leetspeak and in capitals', '5UPP0Rt'],
    ['has fullwidth digits', 'ｒ００ｔ'],
    ['has vv instead of w', 'vvebmaster'],
    ['names the product in leetspeak', '1atchk3y'],
    ['is the encoded form of a name in another alphabet', 'xn--dmin-7cd'],
    ['is the encoded form in capitals', 'XN--DMIN-7CD'],
  ])('%s: %s', (_, given) => {
    expect(canonicalUsername(given, handleRule).problem).toBe('reserved');
  });
});

test.each([
  'user5',
  'account7',
  'team3',
  'adminton',
  'roots',
  'x--y',
  'anna',
  'rooty',
  'my-admin',
  'xn-anna',
])('the username %s is not reserved', (given) => {
  expect(canonicalUsername(given, handleRule).problem).toBeNull();
});
