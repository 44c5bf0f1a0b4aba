import type { Account, Member, Organization } from 'latchkey/client';
import { useCallback, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { auth } from '../auth.ts';
import { scopeOf } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { aOrganizationRole } from '../roles.ts';
import { Button } from '../ui/button.tsx';
import { Filters, SearchFilter } from '../ui/filters.tsx';
import { toast } from '../ui/toast.tsx';
import { useHasBeen } from '../use-has-been.ts';
import { useList } from '../use-list.ts';
import { useSettled } from '../use-settled.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { ChangeMemberRoleDialog } from './change-member-role-dialog.tsx';
import { type MemberChange, MemberChangeDialog } from './member-change-dialog.tsx';
import { MemberRow, memberColumns } from './member-row.tsx';
import { membersHint, type OrganizationRights } from './role-rights.ts';

interface MembersSectionProps {
  organization: Organization;
  rights: OrganizationRights;
  user: Account;
  /** Called when the signed-in user may have another role in the organization. */
  onMyRole: () => Promise<void>;
}

export function MembersSection({ organization, rights, user, onMyRole }: MembersSectionProps) {
  const { route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState<{ member: Member; change: MemberChange | 'change_role' } | null>(null);
  const [adding, setAdding] = useState(false);
  const [typed, setTyped] = useState('');
  const query = useSettled(typed.trim());
  const list = useMembers(organization.id, query);
  const { resource } = list;
  // The search stays when its result has only one page.
  const isLong = useHasBeen(resource.status === 'ready' && resource.value.nextCursor !== null);

  const onAdded = (member: Member) => {
    list.update((known) => [...known, member].sort(byUsername));
    setAdding(false);
    toast(`${member.user.username} is now a member`);
  };

  const onChanged = (changed: Member) => {
    list.update((known) => known.map((member) => (member.user.id === changed.user.id ? changed : member)));
    setAsking(null);
    toast(`${changed.user.username} is now ${aOrganizationRole(changed.role)}`);
    if (changed.user.id === user.id) void onMyRole();
  };

  const onGone = (gone: Member) => {
    setAsking(null);
    if (gone.user.id === user.id && scopeOf(user.role, 'organization:read') !== 'any')
      return route('/organizations', true);
    list.update((known) => known.filter((member) => member.user.id !== gone.user.id));
    toast(`${gone.user.username} is no longer a member`);
    // The focused button no longer exists. The focus can move only after the dialog has closed.
    requestAnimationFrame(() => heading.current?.focus());
    if (gone.user.id === user.id) void onMyRole();
  };

  return (
    <section class="section" aria-labelledby="members">
      <div class="section__head">
        <div>
          <h2 id="members" tabIndex={-1} ref={heading}>
            Members
          </h2>
          <p class="section__lead">{membersHint(rights.invite)}</p>
        </div>
        {rights.add && <Button onClick={() => setAdding(true)}>Add member directly</Button>}
      </div>
      {isLong && (
        <Filters label="Filter members">
          <SearchFilter label="Name" value={typed} onValue={setTyped} />
        </Filters>
      )}
      <ItemList
        list={list}
        what="members"
        empty={query === '' ? noMembersYet(rights) : 'No members match.'}
        columns={memberColumns}
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
      {asking?.change === 'change_role' && (
        <ChangeMemberRoleDialog
          member={asking.member}
          organization={organization}
          roles={rights.roles}
          onClose={() => setAsking(null)}
          onChanged={onChanged}
        />
      )}
      {asking && asking.change !== 'change_role' && (
        <MemberChangeDialog
          member={asking.member}
          change={asking.change}
          organization={organization}
          isMe={asking.member.user.id === user.id}
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
  invite ? 'No members yet. Invite a member to add the first one.' : 'No members yet.';

const useMembers = (organizationId: string, query: string) =>
  useList<Member>(
    useCallback(
      async (cursor, signal) => {
        const page = await auth.organizations.members.list(organizationId, { query, cursor }, { signal });
        return { items: page.members, nextCursor: page.nextCursor };
      },
      [organizationId, query],
    ),
  );
