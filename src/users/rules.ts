import { emailRule, handleRule, longestUsername, type UsernameRule } from '../core/username-rule.ts';
import { skeletonOf } from './look-alikes.ts';
import type { UsernameLookup } from './username-lookup.ts';

/** Why a username is not allowed. */
export type UsernameProblem = 'invalid' | 'reserved';

export interface UsernameDecision {
  /** The canonical form. For an invalid username, this is the input, trimmed and in lowercase. */
  username: string;
  /** Null: the username is allowed, but another account can already have it. */
  problem: UsernameProblem | null;
}

/** Usernames that name the service or its staff, and usernames that are parts of the service's URLs. */
const reserved =
  `about abuse account accounts admin administrator anonymous api auth billing contact everyone guest
   help helpdesk hostmaster info latchkey login logout me moderator nobody noreply no-reply null official
   operator owner passkey password postmaster privacy recovery register root security self session
   settings signin signup staff status sudo superadmin superuser support sysadmin system team terms test
   undefined user username users webmaster www`.split(/\s+/);

const reservedSkeletons = new Set(reserved.map(skeletonOf));

/** For each custom rule: the skeletons of the reserved usernames in the canonical form of this rule. */
const reservedByRule = new WeakMap<UsernameRule, ReadonlySet<string>>();

/**
 * Whether a username is reserved, looks like a reserved username (`adm1n`), or is the encoded form of a name in another
 * alphabet (`xn--…`, RFC 5890), which some programs show decoded.
 */
const isReserved = (username: string, rule: UsernameRule): boolean =>
  username.startsWith('xn--') ||
  reservedSkeletons.has(skeletonOf(username)) ||
  (rule.format === 'custom' && reservedFor(rule).has(skeletonOf(username)));

function reservedFor(rule: UsernameRule): ReadonlySet<string> {
  const known = reservedByRule.get(rule);
  if (known) return known;
  const skeletons = new Set(reserved.map((name) => skeletonOf(customForm(name, rule))));
  reservedByRule.set(rule, skeletons);
  return skeletons;
}

const canonicalHandle = /^[a-z0-9](?:[a-z0-9._-]{1,30})[a-z0-9]$/;
/** The addresses of HTML forms, in lowercase, with a domain of at least two labels, and without `~`. */
const canonicalEmail =
  /^[a-z0-9!#$%&'*+/=?^_`{|}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;
/** RFC 5321, 4.5.3.1.1. */
const longestLocalPart = 64;
/** Printable ASCII without spaces. Without `~`, which sorts after every character of a username (see `selectUsers`). */
const storable = /^[!-}]+$/;
// Limits the length before normalizing, because normalizing takes quadratic time and would block the process.
const maxInputLength = 256;

/**
 * Converts a username to the canonical form of the configured rule.
 *
 * - `handle`: NFKC, lowercase, trimmed. 3 to 32 characters: `a` to `z`, `0` to `9`, `.`, `_` and `-`. The first and the
 *   last character must be a letter or a digit.
 * - `email`: NFC, lowercase, trimmed. Lowercase also applies to the part before the `@`, because no known mail service
 *   distinguishes `Ada@` from `ada@`. Dots and `+tag` stay, because they distinguish mailboxes of some services.
 * - custom: the function of the application, then its pattern.
 *
 * Characters outside of ASCII are rejected, because some look like ASCII letters or are invisible.
 */
export function canonicalUsername(given: string, rule: UsernameRule): UsernameDecision {
  if (given.length > maxInputLength) return { username: given.trim().toLowerCase(), problem: 'invalid' };
  const username = formOf(given, rule);
  if (username === null) return { username: fold(given), problem: 'invalid' };
  return { username, problem: isReserved(username, rule) ? 'reserved' : null };
}

/** Returns the canonical form, or null if the username is invalid. */
function formOf(given: string, rule: UsernameRule): string | null {
  if (rule.format === 'handle') {
    const username = handleForm(given);
    return canonicalHandle.test(username) ? username : null;
  }
  if (rule.format === 'email') {
    const username = fold(given.normalize('NFC'));
    const isShort = username.length <= longestUsername && username.indexOf('@') <= longestLocalPart;
    return isShort && canonicalEmail.test(username) ? username : null;
  }
  const username = customForm(given, rule);
  const isShort = username.length >= rule.min && username.length <= rule.max;
  const isAllowed = isShort && storable.test(username) && rule.pattern?.test(username);
  return isAllowed && customForm(username, rule) === username ? username : null;
}

const handleForm = (given: string): string => fold(fold(given.normalize('NFKC')).normalize('NFKC'));

/** @throws TypeError if the application's function does not return text */
function customForm(given: string, { canonicalize }: UsernameRule): string {
  if (canonicalize === null) return handleForm(given);
  const username: unknown = canonicalize(given);
  if (typeof username === 'string') return username;
  throw new TypeError(
    `usernames.canonicalize: expected a function that returns text, not ${typeof username}`,
  );
}

/**
 * Returns the canonical username, also for accounts that signed up under another rule. Returns an empty text if no
 * account can have the username. If the configured rule does not allow the username, applies the rules `handle` and
 * `email`. To find an account, use `usernameLookup`.
 */
export function usernameToFind(given: string, rule: UsernameRule): string {
  if (given.length > maxInputLength) return '';
  for (const one of [rule, handleRule, emailRule]) {
    const username = formOf(given, one);
    if (username !== null) return username;
  }
  const typed = fold(given);
  return isStorable(typed) ? typed : '';
}

/**
 * Returns the usernames for finding an account that already exists. If the rule changes, accounts keep their usernames,
 * and the new rule can convert the username of one account to the username of another. So a statement must use
 * `storedUsername`, which prefers the account with exactly the given username.
 */
export function usernameLookup(given: string, rule: UsernameRule): UsernameLookup {
  const canonical = usernameToFind(given, rule);
  const exact = given.length > maxInputLength ? '' : given.replace(outerSpace, '');
  return { exact: isStorable(exact) ? exact : canonical, canonical };
}

/** Whether the database can contain this text as a username, under any rule. */
export const isStorable = (text: string): boolean => text.length <= longestUsername && storable.test(text);

/** Whether the configured rule allows this username in exactly this form. Allows reserved usernames. */
export const fitsRule = (username: string, rule: UsernameRule): boolean =>
  formOf(username, rule) === username;

// White space without U+FEFF, which is a zero-width character. Usernames with zero-width characters must be rejected.
const outerSpace = /^[^\S\uFEFF]+|[^\S\uFEFF]+$/g;
const fold = (text: string) => text.replace(outerSpace, '').toLowerCase();
