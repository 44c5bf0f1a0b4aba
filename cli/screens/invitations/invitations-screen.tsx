import type { InvitationStatus } from 'latchkey';
import { type ReactNode, useState } from 'react';
import type { Question } from '../../components/confirm.tsx';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Table } from '../../components/table.tsx';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useClock } from '../../hooks/clock.ts';
import { useEndOfList } from '../../hooks/end-of-list.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useNotices } from '../../hooks/notices.tsx';
import { usePagedList } from '../../hooks/paged-list.ts';
import { useSelection } from '../../hooks/selection.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { nextOf } from '../next-of.ts';
import { isBack, isOpen, moveHint, type ScreenProps } from '../screen.ts';
import { invitationColumns, recipientOf } from './columns.ts';
import type { DialogState } from './dialog-state.ts';
import { useInvitationActions } from './invitation-actions.ts';
import { InvitationDialog, invitationDialogHeight } from './invitation-dialog.tsx';

const statuses = [undefined, 'pending', 'accepted', 'revoked', 'expired'] as const;

const hints: KeyHint[] = [
  { keys: 'n', does: 'invite', means: 'invite a user to become an admin' },
  { keys: 'r', does: 'revoke', means: 'revoke the selected invitation' },
  {
    keys: 'c enter',
    does: 'show link',
    means: 'show the link of an invitation that you created here',
  },
  { keys: 'f', does: 'filter', means: 'filter by status: pending, accepted, revoked or expired' },
  { keys: '/', does: 'search', means: 'search by username' },
  { keys: 'esc', does: 'back', means: 'clear search and filter; without them, go back' },
  moveHint,
];

/** The list of user invitations and admin invitations. This screen creates only admin invitations. */
export function InvitationsScreen({ onBack }: ScreenProps): ReactNode {
  const {
    operator,
    features: { adminInvitations },
  } = useCliContext();
  const clock = useClock();
  const room = useRoom();
  const { notify } = useNotices();
  const [status, setStatus] = useState<InvitationStatus | undefined>();
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<DialogState | null>(null);
  const list = usePagedList('invitations', (cursor) => operator.invitations.list({ status, cursor }), {
    everyMs: 1000,
    key: status ?? 'all',
  });
  const { created, invite, revoke } = useInvitationActions(list.refresh);
  const items = (list.items ?? []).filter((invitation) => recipientOf(invitation).includes(search));
  const rows = room.rows - invitationDialogHeight(dialog, room);
  const selection = useSelection(items, ({ id }) => id, { pageRows: rows - 1 });
  useEndOfList(list, selection.index, items.length, rows);

  const showLink = () => {
    const known = selection.item && created.get(selection.item.id);
    if (known) return setDialog({ what: 'link', created: known, wantsQr: false });
    if (selection.item)
      notify({
        kind: 'error',
        text: 'This link was shown only once. Revoke the invitation and create a new one.',
      });
  };
  const askToRevoke = () => {
    const invitation = selection.item;
    if (!invitation) return;
    if (invitation.status !== 'pending')
      return notify({
        kind: 'error',
        text: `Only pending invitations can be revoked. This one is ${invitation.status}.`,
      });
    const question: Question = {
      title: `Revoke the invitation for ${recipientOf(invitation)}?`,
      consequence: 'The link stops working. You can invite the user again.',
      onYes: () => revoke(invitation),
    };
    setDialog({ what: 'confirm', question });
  };

  useKeys((press) => {
    if (selection.move(press)) return;
    if (press.name === 'n' && adminInvitations) setDialog({ what: 'invite', initial: null });
    else if (press.name === 'r') askToRevoke();
    else if (press.name === 'c' || isOpen(press.name)) showLink();
    else if (press.name === 'f') setStatus(nextOf(statuses, status));
    else if (press.name === '/') setDialog({ what: 'search' });
    else if (isBack(press.name) && (search || status)) {
      setSearch('');
      setStatus(undefined);
    } else if (isBack(press.name)) onBack();
  });

  const title = ['Invitations', status, search && `“${search}”`].filter(Boolean).join(' · ');
  return (
    <Frame
      title={title}
      keys={adminInvitations ? hints : hints.filter(({ does }) => does !== 'invite')}
      problem={list.problem}
      isWaiting={list.isWaiting}
    >
      {rows > 0 && (
        <Table
          columns={invitationColumns(clock.now())}
          rows={items}
          keyOf={({ id }) => id}
          selected={selection.index}
          width={room.columns}
          height={rows}
          empty={list.items ? emptyText(status, search, adminInvitations) : ''}
        />
      )}
      {dialog && (
        <InvitationDialog
          dialog={dialog}
          current={items.find(({ id }) => dialog.what === 'link' && id === dialog.created.invitation.id)}
          room={room}
          search={search}
          onSearch={setSearch}
          onDialog={setDialog}
          onInvite={async (answers) => {
            setDialog(null);
            const invitation = await invite(answers);
            if (invitation) selection.select(invitation.invitation.id);
            setDialog(
              invitation
                ? { what: 'link', created: invitation, wantsQr: false }
                : { what: 'invite', initial: answers },
            );
          }}
        />
      )}
    </Frame>
  );
}

const emptyText = (status: string | undefined, search: string, canInvite: boolean) =>
  status || search
    ? 'No invitations match. Press esc to show all.'
    : canInvite
      ? 'No invitations. Press n to invite an admin.'
      : 'No invitations. Create one with `latchkey invitations create --role user`.';
