import type { Passkey } from 'latchkey/client';
import { useAccount } from '../account.tsx';
import { codeOf, type Explanation, explanation } from '../explain.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../use-action.ts';

const words: Record<string, Explanation> = {
  ceremony_canceled: explanation('info', 'passkeys.notRemovedTitle', 'passkeys.notRemovedBody'),
};

interface RemovePasskeyDialogProps {
  passkey: Passkey;
  isOnlyOne: boolean;
  remove: (passkey: Passkey) => Promise<void>;
  onClose: () => void;
  onAddAnother: () => void;
}

export function RemovePasskeyDialog(props: RemovePasskeyDialogProps) {
  const { passkey, isOnlyOne, onClose, onAddAnother } = props;
  const { state } = useAccount();
  const hasAnotherWayIn = state.status === 'signed-in' && state.user.hasPassword;
  const remove = useAction(async () => {
    await props.remove(passkey);
    onClose();
  });

  if ((isOnlyOne && !hasAnotherWayIn) || codeOf(remove.error) === 'last_credential') {
    return <LastWayInDialog passkey={passkey} onClose={onClose} onAddAnother={onAddAnother} />;
  }
  return (
    <ConfirmDialog
      title={t('passkeys.removeTitle')}
      confirm={t('passkeys.removeConfirm')}
      danger
      action={remove}
      words={words}
      onClose={onClose}
    >
      <Consequences
        of={[
          {
            kind: 'blocks',
            text: <T id="passkeys.removeBlocks" values={{ name: <Name of={passkey} /> }} />,
          },
          { kind: 'ends', text: t('passkeys.removeEnds') },
          {
            kind: 'stays',
            text: t('passkeys.removeStays', { place: passkey.provider ?? t('passkeys.yourDevice') }),
          },
        ]}
      />
      {isOnlyOne && <p>{t('passkeys.removePasswordLeft')}</p>}
    </ConfirmDialog>
  );
}

const Name = ({ of: { label } }: { of: Passkey }) => <strong dir="auto">{label}</strong>;

type LastWayInDialogProps = Pick<RemovePasskeyDialogProps, 'passkey' | 'onClose' | 'onAddAnother'>;

function LastWayInDialog({ passkey, onClose, onAddAnother }: LastWayInDialogProps) {
  return (
    <Dialog
      title={t('passkeys.onlyOneTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button variant="primary" onClick={onAddAnother}>
            {t('common.addPasskey')}
          </Button>
        </>
      }
    >
      <p>
        <T id="passkeys.onlyOneBody" values={{ name: <Name of={passkey} /> }} />
      </p>
    </Dialog>
  );
}
