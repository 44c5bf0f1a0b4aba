import type { Invitation } from 'latchkey';
import type { ReactNode } from 'react';
import { Confirm, confirmHeight } from '../../components/confirm.tsx';
import { linkPanelLayout } from '../../components/link-panel.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import type { Size } from '../../hooks/terminal-size.ts';
import type { DialogState } from './dialog-state.ts';
import { InvitationLink } from './invitation-link.tsx';
import { type InviteAnswers, InviteForm, inviteFormHeight } from './invite-form.tsx';

/** The dialog below the list. */
export function InvitationDialog({
  dialog,
  current,
  room,
  search,
  onSearch,
  onDialog,
  onInvite,
}: {
  dialog: DialogState;
  current: Invitation | undefined;
  room: Size;
  search: string;
  onSearch: (text: string) => void;
  onDialog: (dialog: DialogState | null) => void;
  onInvite: (answers: InviteAnswers) => void;
}): ReactNode {
  const close = () => onDialog(null);
  if (dialog.what === 'invite')
    return <InviteForm initial={dialog.initial} onAnswer={onInvite} onCancel={close} />;
  if (dialog.what === 'confirm') return <Confirm question={dialog.question} onClose={close} />;
  if (dialog.what === 'link')
    return (
      <InvitationLink
        created={dialog.created}
        current={current}
        layout={linkPanelLayout(dialog.created.url, room, dialog.wantsQr)}
        onToggleQr={() => onDialog({ ...dialog, wantsQr: !dialog.wantsQr })}
        onClose={close}
      />
    );
  return (
    <SearchPrompt
      label="Username contains"
      initial={search}
      onChange={onSearch}
      onSubmit={close}
      onCancel={() => {
        onSearch('');
        close();
      }}
    />
  );
}

export function invitationDialogHeight(dialog: DialogState | null, room: Size): number {
  if (!dialog) return 0;
  if (dialog.what === 'invite') return inviteFormHeight;
  if (dialog.what === 'confirm') return confirmHeight;
  if (dialog.what === 'link') return linkPanelLayout(dialog.created.url, room, dialog.wantsQr).height;
  return 1;
}
