import type { AuthService } from 'latchkey';
import type { Sql } from 'postgres';

/** Who can do what with documents: options of `createAuthService`. Anything that is not listed is denied. */
export const access = {
  capabilities: {
    user: {
      // `managed`: organization admins. `own`: the author, as long as the author is a member.
      'document:read': 'managed',
      'document:write': 'managed',
      'document:publish': 'managed',
      'document:delete': ['managed', 'own'],
    },
  },
  // The roles of the other members.
  organizationRoles: { viewer: ['document:read'], editor: ['document:read', 'document:write'] },
  // Every user can create an organization, and becomes its organization admin.
  organizations: { createdBy: 'user' },
  // This app has no page on which users accept an invitation to become an admin of the whole service.
  adminInvitations: false,
} as const;

export type DocumentCapability = keyof typeof access.capabilities.user;
/** The service with the capabilities of this app, so that TypeScript checks their names. */
export type Auth = AuthService<DocumentCapability>;

export interface Document {
  id: string;
  organizationId: string;
  /** The author. Null after the author has deleted their account. */
  ownerId: string | null;
  title: string;
  text: string;
  /** Increments with every change. So no user overwrites or publishes a text that they have not seen. */
  version: number;
  /** Null: a draft, which only members who can write documents see. */
  publishedAt: Date | null;
  createdAt: Date;
}

/**
 * The table. When Latchkey deletes an organization or an account, PostgreSQL applies `on delete` in the same statement.
 * The lock lets several processes start at the same time.
 */
export const schema = `
  select pg_advisory_xact_lock(hashtext('documents'));
  create table if not exists documents (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references latchkey.organizations (id) on delete cascade,
    owner_id uuid references latchkey.user_ids (id) on delete set null,
    title text not null check (char_length(title) between 1 and 120),
    text text not null check (char_length(text) <= 20000),
    version integer not null default 1,
    published_at timestamptz,
    created_at timestamptz not null default now()
  );
  create index if not exists documents_by_organization on documents (organization_id, created_at, id);
  create index if not exists documents_by_owner on documents (owner_id);`;

export const pageSize = 50;

/** A document in a list. `position` is the value of `before` for the next page. */
export interface ListedDocument extends Document {
  position: string;
}

/** The time in microseconds and the id of a document, as `position` contains them. */
const position = /^(\d{1,16})_([\da-f-]{36})$/;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const documentsIn = (sql: Sql) => {
  const columns = sql`
    id, organization_id as "organizationId", owner_id as "ownerId", title, text, version,
    published_at as "publishedAt", created_at as "createdAt"`;

  return {
    /**
     * Lists documents, newest first. `before` is the position of the last document of the previous page, which can be
     * deleted in the meantime.
     */
    list(organizationId: string, { drafts, before }: { drafts: boolean; before: string }) {
      const [, time = null, id = ''] = position.exec(before) ?? [];
      const last = uuid.test(id) ? id : null;
      return sql<ListedDocument[]>`
        select ${columns},
          (extract(epoch from created_at) * 1000000)::bigint || '_' || id as position
        from documents
        where organization_id = ${organizationId} and (published_at is not null or ${drafts})
          and (${last}::uuid is null or (created_at, id) < (
            timestamptz 'epoch' + ${time}::bigint * interval '1 microsecond', ${last}::uuid))
        order by created_at desc, id desc
        limit ${pageSize}`;
    },

    async find(id: string): Promise<Document | null> {
      if (!uuid.test(id)) return null;
      const [found] = await sql<Document[]>`select ${columns} from documents where id = ${id}`;
      return found ?? null;
    },

    async create(given: Pick<Document, 'organizationId' | 'ownerId' | 'title' | 'text'>): Promise<string> {
      const [created] = await sql<{ id: string }[]>`
        insert into documents (organization_id, owner_id, title, text)
        values (${given.organizationId}, ${given.ownerId}, ${given.title}, ${given.text})
        returning id`;
      return `${created?.id}`;
    },

    /** Saves the document as a draft. @returns false if the document has changed since `version` */
    async save({ id, version, title, text }: Pick<Document, 'id' | 'version' | 'title' | 'text'>) {
      const { count } = await sql`
        update documents set title = ${title}, text = ${text}, version = version + 1, published_at = null
        where id = ${id} and version = ${version}`;
      return count === 1;
    },

    /** @returns false if the document has changed since `version` */
    async publish({ id, version }: Pick<Document, 'id' | 'version'>) {
      const { count } = await sql`
        update documents set version = version + 1, published_at = now()
        where id = ${id} and version = ${version}`;
      return count === 1;
    },

    delete: (id: string) => sql`delete from documents where id = ${id}`,
  };
};
