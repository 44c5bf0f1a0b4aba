/** Digits that are read as letters if a letter, or a digit that looks like a letter, follows (leetspeak). */
const letters: Record<string, string> = { 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

/**
 * Returns the skeleton of a username in canonical form. Usernames with the same skeleton look alike.
 *
 * This is the skeleton of UTS #39, section 4, for the characters of usernames: `0` and `o`, `1` and `l`, `m` and `rn`. It
 * also treats these as equal: `i` and `l`, `w` and `vv`, digits that are read as letters, and names with and without
 * `.`, `_` and `-`. A digit at the end stays a digit, because `user5` is not read as `users`. But `user51` looks like
 * `user5l`, so `0` and `1` are replaced first, and count as letters.
 *
 * Migrations 10 and 30 have the same rules in SQL, for the accounts that existed before.
 */
export const skeletonOf = (username: string): string =>
  username
    .toLowerCase()
    .replace(/[._-]/g, '')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replace(/[34578](?=.*[a-z])/g, (digit) => letters[digit] ?? digit)
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv');
