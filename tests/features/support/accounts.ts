import { type Person, userIdOf } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';

/**
 * The functions in this file use SQL, not the service. The `count` of each result is the number of changed
 * rows.
 */

export const setStatus = (service: TestService, person: Person, status: 'active' | 'disabled') =>
  service.database.sql`update latchkey.users set status = ${status} where id = ${userIdOf(person)}`;

export const setRole = (service: TestService, person: Person, role: string) =>
  service.database.sql`update latchkey.users set role = ${role} where id = ${userIdOf(person)}`;

export const endSessions = (service: TestService, person: Person) =>
  service.database.sql`delete from latchkey.sessions where user_id = ${userIdOf(person)}`;
