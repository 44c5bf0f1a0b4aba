import { OWNER, SERVICE, type ServerAccess, SUPERUSER, urlOf } from './connection.ts';

/**
 * The URLs of an embedded PostgreSQL, one for each database role: `postgresql://`, with the role, its password and the
 * port. PostgreSQL listens only on 127.0.0.1.
 */
export type EmbeddedUrls = {
  /**
   * For the service and the application (role `latchkey_service`). The role can create tables and schemas for the
   * application. It can neither change the tables of the service nor update or delete audit events.
   */
  url: string;
  /** For `migrationDatabase` (role `latchkey_owner`, which owns the database and the schema `latchkey`). */
  ownerUrl: string;
  /** For extensions, further databases and settings of the server (role `postgres`, a superuser). */
  superuserUrl: string;
};

export function urlsOf(access: ServerAccess): EmbeddedUrls {
  return {
    url: urlOf(access, SERVICE),
    ownerUrl: urlOf(access, OWNER),
    superuserUrl: urlOf(access, SUPERUSER),
  };
}
