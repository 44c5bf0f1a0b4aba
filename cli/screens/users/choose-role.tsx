import type { Role } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import type { Features } from '../../features.ts';
import { useKeys } from '../../hooks/keyboard.tsx';

const rolesFor = ({ organizations, userInvitations }: Features): [Role, string][] => [
  ['user', 'can manage their own account'],
  ['admin', rightsOfAdmins[organizations ? 'organizations' : userInvitations ? 'invitations' : 'none']],
  ['superadmin', `can manage all users${organizations ? ' and organizations' : ''}`],
];

const rightsOfAdmins = {
  organizations: 'can also create organizations and help their members',
  invitations: 'can also invite users',
  none: 'can manage their own account',
};

export const chooseRoleHeight = 5;

const hints: KeyHint[] = [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'enter', does: 'choose' },
  { keys: 'esc', does: 'cancel' },
];

export function ChooseRole({
  username,
  current,
  features,
  onChoose,
  onCancel,
}: {
  username: string;
  current: Role;
  features: Features;
  onChoose: (role: Role) => void;
  onCancel: () => void;
}): ReactNode {
  const roles = rolesFor(features);
  const [at, setAt] = useState(roles.findIndex(([role]) => role === current));
  useKeys(
    ({ name }) => {
      if (name === 'escape' || name === 'q') return onCancel();
      if (name === 'up' || name === 'k') setAt(Math.max(0, at - 1));
      if (name === 'down' || name === 'j') setAt(Math.min(roles.length - 1, at + 1));
      const [role] = roles[at] ?? [];
      if (name === 'enter' && role) (role === current ? onCancel : () => onChoose(role))();
    },
    { modal: true },
  );
  return (
    <Dialog title={`Change the role of ${username}`} keys={hints} height={chooseRoleHeight}>
      {roles.map(([role, about], index) => (
        <Text key={role} wrap="truncate" bold={index === at}>
          <Text color="cyan">{index === at ? '› ' : '  '}</Text>
          {role.padEnd(12)}
          <Text dimColor>{role === current ? 'current role' : about}</Text>
        </Text>
      ))}
    </Dialog>
  );
}
