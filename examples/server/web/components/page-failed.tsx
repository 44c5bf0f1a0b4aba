import { t } from '../messages/t.tsx';
import { LoadFailed } from './load-failed.tsx';
import { PageHeading } from './page-heading.tsx';

/** Shown instead of a page that could not be loaded. */
export const PageFailed = ({ error, retry }: { error: unknown; retry: () => Promise<void> }) => (
  <>
    <PageHeading title={t('common.pageNotLoaded')} />
    <LoadFailed error={error} retry={retry} />
  </>
);
