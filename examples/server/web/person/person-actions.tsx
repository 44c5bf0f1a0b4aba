import type { UserActionName, UserActionObstacle, UserRecord } from 'latchkey/client';
import { type PlainKey, t } from '../messages/t.tsx';
import { Menu } from '../ui/menu.tsx';
import { menuItemOf } from '../users/menu-items.ts';
import type { UserAction } from '../users/user-actions.ts';

const actions: readonly (readonly [UserActionName, UserAction])[] = [
  ['user.change_role', 'role'],
  ['recovery_link.create', 'recovery'],
  ['user.end_sessions', 'sessions'],
  ['impersonation.start', 'impersonate'],
  ['user.disable', 'disable'],
  ['user.enable', 'enable'],
  ['user.delete', 'remove'],
];

/** For these obstacles, the menu shows the action with the reason. All other obstacles hide the action. */
const explained: Partial<Record<UserActionObstacle, PlainKey>> = {
  last_superadmin: 'person.obstacleLastSuperadmin',
  not_of_their_organizations: 'person.obstacleOrganizations',
  no_plain_user: 'person.obstacleRole',
};

interface Offered {
  action: UserAction;
  obstacle: PlainKey | null;
}

/** The actions to show, from the actions and obstacles that the service returns. */
export function offeredActions({ actions: states }: UserRecord): Offered[] {
  return actions.flatMap(([name, action]) => {
    const state = states.find((each) => each.name === name);
    if (!state) return [];
    const obstacle = state.obstacle && explained[state.obstacle];
    return state.obstacle === null || obstacle ? [{ action, obstacle: obstacle ?? null }] : [];
  });
}

interface PersonActionsProps {
  record: UserRecord;
  onChoose: (action: UserAction) => void;
}

/** The menu of the actions on a user. Renders nothing if the signed-in user can do nothing. */
export function PersonActions({ record, onChoose }: PersonActionsProps) {
  const { user, details } = record;
  const items = offeredActions(record).map(({ action, obstacle }) => ({
    ...menuItemOf(action, user, details?.sessions?.length),
    ...(obstacle && { consequence: t(obstacle), isOff: true }),
    run: () => onChoose(action),
  }));
  if (items.length === 0) return null;
  return (
    <Menu text={t('person.actions')} label={t('users.actionsFor', { name: user.username })} items={items} />
  );
}
