import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionFrom, textOfPosition, type UserOrder } from '../../src/accounts/list-position.ts';
import { cursorOf, readCursor } from '../../src/audit/log/cursor.ts';
import { sortOrders, userSorts } from '../../src/core/user-list.ts';
import { anyText, forAll, wellFormedText } from './support/for-all.ts';

const list: fc.Arbitrary<UserOrder> = fc.record({
  search: fc.option(wellFormedText(10), { nil: undefined }),
  sort: fc.constantFrom(...userSorts),
  order: fc.constantFrom(...sortOrders),
});
const username = fc.string({ unit: fc.constantFrom(...'abz019._-@+'), minLength: 1, maxLength: 40 });
const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('Z', '123Z'));

test('the cursor of a list of users continues after the same user', () => {
  forAll(
    [list, username, time, fc.uuid()],
    (of, name, at, id) => {
      const key = of.sort === 'username' ? name : at;
      const position = positionFrom(of, textOfPosition(of, { key, id }));
      expect(position?.key).toBe(key);
      // The list by username has no second user with the same key.
      expect([id, '']).toContain(position?.id);
    },
    500,
  );
});

test('the cursor of one list is invalid for a list with another search, sort or order', () => {
  forAll(
    [list, list, username, time, fc.uuid()],
    (of, other, name, at, id) => {
      fc.pre(textOfPosition(of, { key: name, id }) !== textOfPosition(other, { key: name, id }));
      const text = textOfPosition(of, { key: of.sort === 'username' ? name : at, id });
      expect(positionFrom(other, text)).toBeUndefined();
    },
    500,
  );
});

test('a text that is not a cursor of a list of users returns no position, and never throws', () => {
  forAll(
    [list, anyText(60)],
    (of, text) => {
      const position = positionFrom(of, text);
      if (position !== undefined) expect(textOfPosition(of, position)).toBe(text);
    },
    500,
  );
});

test('a cursor of the audit log names the same event', () => {
  forAll([fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.uuid()], (position, eventId) => {
    expect(readCursor(cursorOf({ position: `${position}`, id: eventId }))).toEqual({ position, eventId });
  });
});

test('a text that is not a cursor of the audit log is refused', () => {
  const position = fc.oneof(fc.bigInt(), fc.bigInt({ min: 2n ** 63n - 9n, max: 10n ** 19n }));
  const nearly = fc
    .tuple(position, fc.constantFrom(':', '::', ' :'), fc.uuid())
    .map((parts) => parts.join(''));
  forAll(
    [fc.oneof(anyText(50), nearly, fc.anything())],
    (text) => {
      let cursor: ReturnType<typeof readCursor>;
      try {
        cursor = readCursor(text);
      } catch (error) {
        return expect(error).toMatchObject({ code: 'invalid_request' });
      }
      expect(cursorOf({ position: `${cursor.position}`, id: cursor.eventId })).toBe(text);
      expect(cursor.position < 2n ** 63n).toBe(true);
    },
    500,
  );
});
