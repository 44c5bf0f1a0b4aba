import { useRef, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { auth } from '../auth.ts';
import { UsernameField } from '../components/username-field.tsx';
import { accountDisabled } from '../entrance/account-disabled.ts';
import { type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';
import { StepHeading } from './step-heading.tsx';

const words: Record<string, Explanation> = {
  account_disabled: accountDisabled,
  authentication_failed: explanation('danger', 'errors.failedTitle', 'recovery.codeFailedBody'),
};

/** Step 1 with a recovery code. */
export function CodeStep() {
  return (
    <>
      <StepHeading step={1} title={t('recovery.title')} />
      <p class="entrance__lead">{t('recovery.codeLead')}</p>
      <CodeForm />
      <div class="entrance__aside">
        <p>{t('recovery.noCodesLeft')}</p>
        <p>
          <T id="recovery.foundPasskey" values={{ link: (words) => <a href="/signin">{words}</a> }} />
        </p>
      </div>
    </>
  );
}

function CodeForm() {
  const { refresh } = useAccount();
  const [username, setUsername] = useState('');
  const [code, setCode] = useState('');
  const [attempted, setAttempted] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const isUsernameMissing = username.trim() === '';
  const isCodeMissing = code.trim() === '';

  const recover = useAction(async () => {
    await auth.recovery.useCode({ username: username.trim(), code });
    await refresh();
  });

  const submit = (event: Event) => {
    event.preventDefault();
    setAttempted(true);
    if (isUsernameMissing) usernameInput.current?.focus();
    else if (isCodeMissing) codeInput.current?.focus();
    else void recover.run();
  };

  return (
    <form class="form" onSubmit={submit}>
      <ErrorNotice error={recover.error} words={words} />
      <UsernameField
        value={username}
        onValue={setUsername}
        inputRef={usernameInput}
        missing={attempted && isUsernameMissing}
      />
      <Field
        label={t('recovery.code')}
        name="code"
        value={code}
        onValue={setCode}
        inputRef={codeInput}
        autocomplete="off"
        verbatim
        monospace
        invalid={attempted && isCodeMissing}
        message={attempted && isCodeMissing ? <Bad>{t('recovery.enterCode')}</Bad> : t('recovery.codeForm')}
      />
      <Button type="submit" variant="primary" wide busy={recover.busy}>
        {t('recovery.continue')}
      </Button>
    </form>
  );
}
