import type { ComponentProps } from 'preact';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';

type ReplaceCodesDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'words' | 'onClose'>;

export const ReplaceCodesDialog = (props: ReplaceCodesDialogProps) => (
  <ConfirmDialog title="Replace your recovery codes?" confirm="Replace codes" {...props}>
    <p>You get new codes. All earlier codes stop working at once.</p>
  </ConfirmDialog>
);
