import type { OrganizationRole } from 'latchkey';

/** A member of a record: by the username, or by the id that the user had in another system. */
export interface ImportedMember {
  username?: string;
  sourceId?: string;
  /** Can be a role that is not configured. */
  role: OrganizationRole;
}

/** The property that names the members of all records. */
export type MemberKey = 'username' | 'sourceId';

/** A record of `organizations import` and `organizations export`. */
export interface OrganizationRecord {
  slug: string;
  name: string;
  /** Undefined: now. */
  createdAt?: Date | undefined;
  members: ImportedMember[];
}

/** Says what is wrong with a record. */
export class RecordFault extends Error {
  override readonly name = 'RecordFault';
}

/** Checks a value from a file. @throws RecordFault */
export function organizationRecordOf(value: unknown, memberKey: MemberKey): OrganizationRecord {
  const {
    slug,
    name,
    createdAt,
    members = [],
  } = objectWith(value, '', ['slug', 'name', 'createdAt', 'members']);
  if (!Array.isArray(members)) throw new RecordFault('members: expected an array');
  return {
    slug: slugOf(slug),
    name: nameOf(name),
    createdAt: createdAt === undefined ? undefined : timeOf(createdAt),
    members: withoutDuplicates(members.map((member, index) => memberOf(member, index, memberKey))),
  };
}

/** Almost the canonical form of a username, to compare usernames. Only the service knows the configured form. */
export const usernameKey = (username: string): string => username.normalize('NFKC').trim().toLowerCase();

function withoutDuplicates(members: ImportedMember[]): ImportedMember[] {
  const known = new Set<string>();
  for (const [index, { username, sourceId }] of members.entries()) {
    const key = username === undefined ? `${sourceId}` : usernameKey(username);
    const name = username === undefined ? 'sourceId' : 'username';
    if (known.has(key)) throw new RecordFault(`members[${index}].${name}: this ${name} occurs twice`);
    known.add(key);
  }
  return members;
}

const longest = { username: 254, sourceId: 255 } as const;

function memberOf(value: unknown, index: number, key: MemberKey): ImportedMember {
  const path = `members[${index}]`;
  const { role = 'user', ...given } = objectWith(value, path, ['username', 'sourceId', 'role']);
  if (key === 'username' && given.sourceId !== undefined)
    throw new RecordFault(`${path}.sourceId: this property needs the flag --users-source`);
  if (key === 'sourceId' && given.username !== undefined)
    throw new RecordFault(`${path}.username: with the flag --users-source, expected only a sourceId`);
  const name = textOf(`${path}.${key}`, given[key]);
  if (name.length > longest[key])
    throw new RecordFault(`${path}.${key}: expected at most ${longest[key]} characters`);
  return { [key]: name, role: textOf(`${path}.role`, role) };
}

function objectWith(value: unknown, path: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RecordFault(`${path === '' ? 'the line' : path}: expected an object`);
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RecordFault(
      `${[path, unknown.slice(0, 100)].filter(Boolean).join('.')}: this property is unknown`,
    );
  return value as Record<string, unknown>;
}

function slugOf(value: unknown): string {
  const slug = textOf('slug', value);
  if (!/^[a-z0-9-]{2,48}$/.test(slug))
    throw new RecordFault('slug: expected 2 to 48 lowercase letters, digits and hyphens');
  return slug;
}

function nameOf(value: unknown): string {
  const name = textOf('name', value).slice(0, 1000).normalize('NFC').trim();
  if (!/^\P{Cc}{1,64}$/u.test(name))
    throw new RecordFault('name: expected 1 to 64 characters without control characters');
  return name;
}

function textOf(path: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new RecordFault(`${path}: expected a text`);
  return value;
}

/** RFC 3339 with an offset, because a time without an offset depends on the machine. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function timeOf(value: unknown): Date {
  const time = new Date(typeof value === 'string' && rfc3339.test(value) ? value : Number.NaN);
  if (!(time.getTime() >= 0))
    throw new RecordFault('createdAt: expected a time in 1970 or later, such as 2026-11-21T05:00:00Z');
  if (time.getTime() > Date.now()) throw new RecordFault('createdAt: expected a time in the past');
  return time;
}
