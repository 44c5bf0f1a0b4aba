import type { Invitation } from 'latchkey';
import type { ReactNode } from 'react';
import { Confirm, confirmHeight } from '../../components/confirm.tsx';
import { linkPanelLayout } from '../../components/link-panel.tsx';
import { SearchPrompt } from '../../components/search-prompt.tsx';
import type { Size } from '../../hooks/terminal-size.ts';
import type { Doing } from './doing.ts';
import { InvitationLink } from './invitation-link.tsx';
import { type InviteAnswers, InviteForm, inviteFormHeight } from './invite-form.tsx';

/** What is being done, below the list. */
export function InvitationDialog({
  doing,
  current,
  room,
  search,
  onSearch,
  onDoing,
  onInvite,
}: {
  doing: Doing;
  current: Invitation | undefined;
  room: Size;
  search: string;
  onSearch: (text: string) => void;
  onDoing: (doing: Doing | null) => void;
  onInvite: (answers: InviteAnswers) => void;
}): ReactNode {
  const close = () => onDoing(null);
  if (doing.what === 'inviting')
    return <InviteForm initial={doing.initial} onAnswer={onInvite} onCancel={close} />;
  if (doing.what === 'asking') return <Confirm question={doing.question} onClose={close} />;
  if (doing.what === 'link')
    return (
      <InvitationLink
        made={doing.made}
        current={current}
        layout={linkPanelLayout(doing.made.url, room, doing.wantsQr)}
        onToggleQr={() => onDoing({ ...doing, wantsQr: !doing.wantsQr })}
        onClose={close}
      />
    );
  return (
    <SearchPrompt
      label="Username"
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

export function invitationDialogHeight(doing: Doing | null, room: Size): number {
  if (!doing) return 0;
  if (doing.what === 'inviting') return inviteFormHeight;
  if (doing.what === 'asking') return confirmHeight;
  if (doing.what === 'link') return linkPanelLayout(doing.made.url, room, doing.wantsQr).height;
  return 1;
}
