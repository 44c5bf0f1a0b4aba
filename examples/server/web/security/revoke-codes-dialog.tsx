import type { ComponentProps } from 'preact';
import type { Explanation } from '../explain.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

const words: Record<string, Explanation> = {
  ceremony_canceled: {
    tone: 'info',
    title: 'Your codes still work',
    body: 'You didn’t confirm that it’s you. Try again when you’re ready.',
  },
};

type RevokeCodesDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'onClose'>;

export const RevokeCodesDialog = (props: RevokeCodesDialogProps) => (
  <ConfirmDialog title="Revoke your recovery codes?" confirm="Revoke codes" danger words={words} {...props}>
    <p>
      All your codes stop working immediately. If you then lose all passkeys, you can’t recover your account
      without help.
    </p>
  </ConfirmDialog>
);
