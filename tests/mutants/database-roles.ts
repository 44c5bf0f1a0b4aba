import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/db/service-role.ts',
    replace: "audit_events: 'select, insert',",
    by: "audit_events: 'select, insert, update',",
    breaks: 'The role of the service can update audit events',
    killedBy: ['tests/db/service-role.test.ts'],
  },
  {
    file: 'src/db/service-role.ts',
    replace: "    execute format('revoke all on all tables in schema latchkey from %I', service_role);\n",
    by: '',
    breaks: 'A role of an earlier version keeps the right to delete audit events',
    killedBy: ['tests/db/service-role.test.ts'],
  },
  {
    file: 'src/db/service-role.ts',
    replace: 'if (service.owns) throw owning(role);',
    by: '',
    breaks: 'The owner of the schema can be the role of the service',
    killedBy: ['tests/db/service-role.test.ts'],
  },
  {
    file: 'src/db/service-role.ts',
    replace: "granted.privilege_type = 'INSERT' and",
    by: '',
    breaks: 'A migration gives a role that only reads the rights of the service',
    killedBy: ['tests/db/service-role.test.ts'],
  },
  {
    file: 'src/service/prepare-schema.ts',
    replace: "if (currentSchema === 'latchkey') {",
    by: "if (currentSchema === 'other') {",
    breaks: 'The service does not warn about tables in its schema',
    killedBy: ['tests/db/database-warnings.test.ts'],
  },
  {
    file: 'src/core/config.ts',
    replace: 'options.database == null || options.migrationDatabase != null',
    by: 'true',
    breaks: 'The service uses MIGRATION_DATABASE_URL although the code passes another database',
    killedBy: ['tests/core/configuration.test.ts'],
  },
  {
    file: 'src/embedded/prepare-database.ts',
    replace: '    create schema if not exists latchkey authorization ${OWNER};\n',
    by: '    create schema if not exists latchkey;\n',
    breaks: 'The owner cannot migrate the embedded database',
    killedBy: ['tests/embedded/roles.test.ts'],
  },
  {
    file: 'src/embedded/connection.ts',
    replace: ": createHmac('sha256', superuserPassword).update(role).digest('base64url');",
    by: ': superuserPassword;',
    breaks: 'The URL of the service contains the password of the superuser',
    killedBy: ['tests/embedded/roles.test.ts'],
  },
] satisfies Mutant[];
