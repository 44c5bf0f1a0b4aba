import type { Account, Member, Organization } from 'latchkey/client';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { t } from '../messages/t.tsx';
import { organizationRoleName } from '../roles.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useHasBeen } from '../use-has-been.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { type AskedChange, MemberDialogs } from './member-dialogs.tsx';
import { MemberRow, memberColumns } from './member-row.tsx';
import { MemberSearch } from './member-search.tsx';
import { membersHint, type OrganizationRights } from './role-rights.ts';
import type { Members } from './use-members.ts';

interface MembersTabProps {
  organization: Organization;
  rights: OrganizationRights;
  user: Account;
  members: Members;
  /** Called when the signed-in user may have another role in the organization. */
  onMyRole: () => Promise<void>;
}

export function MembersTab({ organization, rights, user, members, onMyRole }: MembersTabProps) {
  const { route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState<AskedChange | null>(null);
  const [adding, setAdding] = useState(false);
  const { list, query } = members;
  const { resource } = list;
  // The search stays when its result has only one page.
  const isLong = useHasBeen(resource.status === 'ready' && resource.value.nextCursor !== null);

  const onAdded = (member: Member) => {
    list.update((known) => [...known, member].sort(byUsername));
    setAdding(false);
    toast(t('organizations.added', { username: member.user.username }));
  };

  const onChanged = (changed: Member) => {
    list.update((known) => known.map((member) => (member.user.id === changed.user.id ? changed : member)));
    setAsking(null);
    const { role, user: changedUser } = changed;
    toast(
      t('organizations.roleChanged', {
        username: changedUser.username,
        role,
        roleName: organizationRoleName(role),
      }),
    );
    if (changedUser.id === user.id) void onMyRole();
  };

  const onGone = (gone: Member) => {
    setAsking(null);
    if (gone.user.id === user.id && scopeOf(user.role, 'organization:read') !== 'any')
      return route('/organizations', true);
    list.update((known) => known.filter((member) => member.user.id !== gone.user.id));
    toast(t('organizations.gone', { username: gone.user.username }));
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
    if (gone.user.id === user.id) void onMyRole();
  };

  return (
    <section class="card-list card-list--members" aria-labelledby="members">
      <div class="card-list__head">
        <div>
          <h2 id="members" tabIndex={-1} ref={heading}>
            {t('organizations.members')}
          </h2>
          <p class="section__lead">{membersHint(rights.invite)}</p>
        </div>
        {isLong && <MemberSearch value={members.typed} onValue={members.setTyped} />}
        {rights.add && <Button onClick={() => setAdding(true)}>{t('organizations.addDirectly')}</Button>}
      </div>
      <ItemList
        list={list}
        what={t('organizations.whatMembers')}
        empty={query === '' ? noMembersYet(rights) : t('organizations.noMembersMatch', { query })}
        columns={memberColumns()}
        row={(member) => (
          <MemberRow
            key={member.user.id}
            member={member}
            isMe={member.user.id === user.id}
            rights={rights}
            onAsk={(change) => setAsking({ member, change })}
          />
        )}
      />
      {adding && (
        <AddMemberDialog
          organizationId={organization.id}
          roles={rights.roles}
          onClose={() => setAdding(false)}
          onAdded={onAdded}
        />
      )}
      {asking && (
        <MemberDialogs
          {...asking}
          organization={organization}
          roles={rights.roles}
          myId={user.id}
          onClose={() => setAsking(null)}
          onChanged={onChanged}
          onGone={onGone}
        />
      )}
    </section>
  );
}

const byUsername = (one: Member, other: Member) => (one.user.username < other.user.username ? -1 : 1);

const noMembersYet = ({ invite }: OrganizationRights) =>
  invite ? t('organizations.noMembersInvite') : t('organizations.noMembers');
