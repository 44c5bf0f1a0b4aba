import type { Account } from 'latchkey/client';
import { has } from '../capabilities.ts';
import { MemberPicker } from './member-picker.tsx';
import { MemberUsernameField } from './member-username-field.tsx';
import type { Invite } from './use-invite.ts';

/** The users to invite. Only a user who can search users gets suggestions, and can choose several users. */
export const InviteeField = ({ user, invite }: { user: Account; invite: Invite }) =>
  has(user.role, 'user:read') ? (
    <MemberPicker
      chosen={invite.chosen}
      onChosen={invite.setChosen}
      typed={invite.typed}
      onTyped={invite.setTyped}
      inputRef={invite.input}
      isMissing={invite.isMissing}
    />
  ) : (
    <MemberUsernameField
      name="invitee"
      value={invite.typed}
      onValue={invite.setTyped}
      inputRef={invite.input}
      isMissing={invite.isMissing}
    />
  );
