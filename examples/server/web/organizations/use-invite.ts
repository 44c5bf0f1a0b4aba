import type { OrganizationInvitation } from 'latchkey/client';
import { useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { useAction } from '../use-action.ts';
import { type FailedInvitation, type InvitationTerms, inviteUsers } from './invite-users.ts';
import type { Invitee } from './member-picker.tsx';

/** A new invitation with a link, which the service shows only once. */
export interface InvitationLink {
  invitation: OrganizationInvitation;
  url: string;
}

interface InviteSettings {
  organizationId: string;
  terms: InvitationTerms;
  onClose: () => void;
  onCreated: (invitation: OrganizationInvitation, url: string | null) => void;
}

export type Invite = ReturnType<typeof useInvite>;

/** The state of the form that invites users: by username or with a link, the usernames, and what failed. */
export function useInvite({ organizationId, terms, onClose, onCreated }: InviteSettings) {
  const input = useRef<HTMLInputElement>(null);
  const [way, setWay] = useState<'username' | 'link'>('username');
  const [chosen, setChosen] = useState<Invitee[]>([]);
  const [typed, setTyped] = useState('');
  const [insisting, setInsisting] = useState(false);
  const [failures, setFailures] = useState<FailedInvitation[]>([]);
  const [link, setLink] = useState<InvitationLink | null>(null);
  // Includes a username that the user typed but did not choose from the suggestions.
  const usernames = [...new Set([...chosen.map(({ username }) => username), typed.trim()])].filter(Boolean);
  const isMissing = way === 'username' && usernames.length === 0;

  const createLink = async () => {
    const { invitation, url } = await auth.organizations.invitations.create(organizationId, terms);
    onCreated(invitation, url);
    if (url !== null) setLink({ invitation, url });
  };

  const inviteByUsername = async () => {
    const left = new Set(usernames);
    try {
      const failed = await inviteUsers(organizationId, usernames, terms, (username, invitation) => {
        left.delete(username);
        onCreated(invitation, null);
      });
      setFailures(failed);
    } finally {
      // The field keeps only the users who have no invitation yet, so that a retry does not invite the others again.
      setChosen((known) => known.filter(({ username }) => left.has(username)));
      setTyped((known) => (left.has(known.trim()) ? known : ''));
    }
    if (left.size === 0) onClose();
    else input.current?.select();
  };

  const create = useAction(() => (way === 'link' ? createLink() : inviteByUsername()));

  const changing =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      create.forget();
      setFailures([]);
    };

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    setFailures([]);
    if (isMissing) input.current?.focus();
    else void create.run();
  };

  return {
    input,
    way,
    setWay: changing(setWay),
    chosen,
    setChosen: changing(setChosen),
    typed,
    setTyped: changing(setTyped),
    usernames,
    isMissing: insisting && isMissing,
    submit,
    busy: create.busy,
    error: create.error,
    failures,
    link,
  };
}
