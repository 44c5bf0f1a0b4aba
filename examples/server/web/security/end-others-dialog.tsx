import type { ComponentProps } from 'preact';
import { T, t } from '../messages/t.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Consequences } from '../ui/consequences.tsx';

interface EndOthersDialogProps extends Pick<ComponentProps<typeof ConfirmDialog>, 'action' | 'onClose'> {
  /** The number of other sessions. */
  count: number;
}

export const EndOthersDialog = ({ count, ...props }: EndOthersDialogProps) => (
  <ConfirmDialog
    title={t('security.endOthersTitle')}
    confirm={t('security.signOutEverywhere')}
    asksForPasskey={false}
    {...props}
  >
    <Consequences
      of={[
        {
          kind: 'ends',
          text: (
            <T
              id="security.endOthersEnds"
              values={{ count, strong: (children) => <strong>{children}</strong> }}
            />
          ),
        },
        {
          kind: 'stays',
          text: (
            <T id="security.endOthersStays" values={{ strong: (children) => <strong>{children}</strong> }} />
          ),
        },
      ]}
    />
  </ConfirmDialog>
);
