import type { InvitationStatus } from 'latchkey';
import { type ReactNode, useState } from 'react';
import type { Question } from '../../components/confirm.tsx';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Table } from '../../components/table.tsx';
import { useClock } from '../../hooks/clock.ts';
import { useDesk } from '../../hooks/desk-context.ts';
import { useEndOfList } from '../../hooks/end-of-list.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useNotices } from '../../hooks/notices.tsx';
import { usePagedList } from '../../hooks/paged-list.ts';
import { useSelection } from '../../hooks/selection.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { nextOf } from '../next-of.ts';
import { isBack, isOpen, moveHint, type ScreenProps } from '../screen.ts';
import { forWhom, invitationColumns } from './columns.ts';
import type { Doing } from './doing.ts';
import { useInvitationActions } from './invitation-actions.ts';
import { InvitationDialog, invitationDialogHeight } from './invitation-dialog.tsx';

const statuses = [undefined, 'pending', 'accepted', 'revoked', 'expired'] as const;

const hints: KeyHint[] = [
  { keys: 'n', does: 'invite', means: 'invite somebody to become an admin' },
  { keys: 'r', does: 'revoke', means: 'revoke the selected invitation' },
  { keys: 'c enter', does: 'link', means: 'the link and QR code, of those made while you are here' },
  { keys: 'f', does: 'filter', means: 'only the pending, accepted, revoked, expired; all' },
  { keys: '/', does: 'search', means: 'search by username' },
  { keys: 'esc', does: 'back', means: 'show all again, then back' },
  moveHint,
];

/** All invitations, as they fare. */
export function InvitationsScreen({ onBack }: ScreenProps): ReactNode {
  const { operator } = useDesk();
  const clock = useClock();
  const room = useRoom();
  const { say } = useNotices();
  const [status, setStatus] = useState<InvitationStatus | undefined>();
  const [search, setSearch] = useState('');
  const [doing, setDoing] = useState<Doing | null>(null);
  const list = usePagedList((cursor) => operator.invitations.list({ status, cursor }), {
    every: 1000,
    key: status ?? 'all',
  });
  const { made, invite, revoke } = useInvitationActions(list.refresh);
  const items = (list.items ?? []).filter((invitation) => forWhom(invitation).includes(search));
  const rows = room.rows - invitationDialogHeight(doing, room);
  const selection = useSelection(items, ({ id }) => id, { pageRows: rows - 1 });
  useEndOfList(list, selection.index, items.length, rows);

  const showLink = () => {
    const known = selection.item && made.get(selection.item.id);
    if (known) return setDoing({ what: 'link', made: known, wantsQr: false });
    if (selection.item)
      say({ kind: 'fault', text: 'Its link was shown once, when it was made. Revoke it and invite anew.' });
  };
  const askToRevoke = () => {
    const invitation = selection.item;
    if (!invitation) return;
    if (invitation.status !== 'pending')
      return say({ kind: 'fault', text: `There is nothing to revoke: it is ${invitation.status}.` });
    const question: Question = {
      title: `Revoke the invitation for ${forWhom(invitation)}?`,
      consequence: 'Its link serves no more. You can invite again.',
      onYes: () => revoke(invitation),
    };
    setDoing({ what: 'asking', question });
  };

  useKeys((press) => {
    if (selection.move(press)) return;
    if (press.name === 'n') setDoing({ what: 'inviting', initial: null });
    else if (press.name === 'r') askToRevoke();
    else if (press.name === 'c' || isOpen(press.name)) showLink();
    else if (press.name === 'f') setStatus(nextOf(statuses, status));
    else if (press.name === '/') setDoing({ what: 'searching' });
    else if (isBack(press.name) && (search || status)) {
      setSearch('');
      setStatus(undefined);
    } else if (isBack(press.name)) onBack();
  });

  const title = ['Invitations', status, search && `“${search}”`].filter(Boolean).join(' · ');
  return (
    <Frame title={title} keys={hints} trouble={list.trouble} isWaiting={list.isWaiting}>
      {rows > 0 && (
        <Table
          columns={invitationColumns(clock.now())}
          rows={items}
          keyOf={({ id }) => id}
          selected={selection.index}
          width={room.columns}
          height={rows}
          empty={list.items ? emptyWords(status, search) : ''}
        />
      )}
      {doing && (
        <InvitationDialog
          doing={doing}
          current={items.find(({ id }) => doing.what === 'link' && id === doing.made.invitation.id)}
          room={room}
          search={search}
          onSearch={setSearch}
          onDoing={setDoing}
          onInvite={async (answers) => {
            setDoing(null);
            const created = await invite(answers);
            if (created) selection.select(created.invitation.id);
            setDoing(
              created
                ? { what: 'link', made: created, wantsQr: false }
                : { what: 'inviting', initial: answers },
            );
          }}
        />
      )}
    </Frame>
  );
}

const emptyWords = (status: string | undefined, search: string) =>
  status || search ? 'None of these; esc shows all.' : 'None yet; n invites somebody.';
