import { LinkOnce } from '../components/link-once.tsx';
import { formatExact } from '../dates.ts';
import { T, t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import type { InvitationLink } from './use-invite.ts';

/** Shows the link of a new invitation. */
export const CreatedLink = ({ link, onClose }: { link: InvitationLink; onClose: () => void }) => {
  const { expiresAt } = link.invitation;
  return (
    <Sheet
      title={t('organizations.newLink')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('organizations.done')}</Button>}
    >
      <LinkOnce label={t('organizations.link')} url={link.url} />
      <p>
        <T
          id="organizations.linkTerms"
          values={{ time: <time dateTime={expiresAt}>{formatExact(expiresAt)}</time> }}
        />
      </p>
    </Sheet>
  );
};
