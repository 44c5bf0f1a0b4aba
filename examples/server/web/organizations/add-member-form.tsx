import type { Member } from 'latchkey/client';
import { useId, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import type { Explanation } from '../explain.ts';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  not_found: {
    tone: 'warning',
    title: 'Nobody has that username',
    body: 'Check how it’s spelt. They need an account here first.',
  },
  account_disabled: {
    tone: 'warning',
    title: 'That account is disabled',
    body: 'A superadministrator has to enable it first.',
  },
};

interface AddMemberFormProps {
  organizationId: string;
  onAdded: (member: Member) => void;
}

/** Stays as it is after somebody was added, ready for the next one. */
export function AddMemberForm({ organizationId, onAdded }: AddMemberFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState('');
  const add = useAction(async () => {
    const wanted = username.trim();
    if (wanted === '') return input.current?.focus();
    try {
      onAdded(await auth.organizations.members.add(organizationId, { username: wanted }));
    } catch (error) {
      input.current?.select();
      throw error;
    }
    setUsername('');
    input.current?.focus();
  });

  return (
    <form
      class="form form--close"
      onSubmit={(event) => {
        event.preventDefault();
        void add.run();
      }}
    >
      <div class="field">
        <label class="field__label" for={id}>
          Add a member by username
        </label>
        <div class="copy-line">
          <input
            ref={input}
            id={id}
            name="member"
            class="input"
            value={username}
            onInput={(event) => {
              setUsername(event.currentTarget.value);
              add.forget();
            }}
            maxLength={64}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
          <Button type="submit" busy={add.busy}>
            Add
          </Button>
        </div>
      </div>
      <ErrorNotice error={add.error} words={words} />
    </form>
  );
}
