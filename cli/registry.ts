import type { Entry } from './catalogue.ts';
import type { Command } from './command.ts';

/** Each command is loaded when it is called, so that none pays for another. */
const loaders: Record<string, () => Promise<Command>> = {
  bootstrap: async () => (await import('./commands/bootstrap.ts')).bootstrap,
  'invitations list': async () => (await import('./commands/invitations.ts')).list,
  'invitations create': async () => (await import('./commands/invitations.ts')).create,
  'invitations revoke': async () => (await import('./commands/invitations.ts')).revoke,
  'users list': async () => (await import('./commands/users.ts')).list,
  'users show': async () => (await import('./commands/users.ts')).show,
  'users role': async () => (await import('./commands/users.ts')).role,
  'users disable': async () => (await import('./commands/users.ts')).disable,
  'users enable': async () => (await import('./commands/users.ts')).enable,
  'users recover': async () => (await import('./commands/users.ts')).recover,
  'users sessions': async () => (await import('./commands/users.ts')).sessions,
  'users delete': async () => (await import('./commands/users.ts')).remove,
  'users cancel-recovery': async () => (await import('./commands/users.ts')).cancelRecovery,
  'organizations list': async () => (await import('./commands/organizations.ts')).list,
  'organizations invite': async () => (await import('./commands/organizations.ts')).invite,
  'organizations invitations': async () => (await import('./commands/organizations.ts')).invitations,
  'organizations revoke': async () => (await import('./commands/organizations.ts')).revoke,
  'organizations add': async () => (await import('./commands/organizations.ts')).add,
  'audit tail': async () => (await import('./commands/audit.ts')).tail,
  'audit export': async () => (await import('./commands/audit.ts')).exportLog,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  'migrate status': async () => (await import('./commands/migrate.ts')).status,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  dev: async () => (await import('./commands/dev.ts')).dev,
  secret: async () => (await import('./commands/secret.ts')).secret,
  completion: async () => (await import('./commands/completion.ts')).completion,
};

export const loadCommand = ({ name }: Entry): Promise<Command> | undefined => loaders[name]?.();
