import { invitationCommands } from '../organizations/invitations.ts';
import { managementCommands } from '../organizations/manage.ts';
import { memberCommands } from '../organizations/members.ts';
import { transferCommands } from '../organizations/transfer.ts';

export const commands = {
  ...managementCommands,
  ...memberCommands,
  ...invitationCommands,
  ...transferCommands,
};
