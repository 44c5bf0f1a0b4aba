import { type ComponentChildren, type ComponentType, Fragment } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { loadScript } from '../load-script.ts';
import { t } from '../messages/t.tsx';
import { useResource } from '../use-resource.ts';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';

export type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A component whose script is loaded when it is first rendered.
 *
 * @param loadParts loads its messages and its styles
 * @param Frame the frame around the notice while the script loads, or when loading fails
 */
export function lazy<Props extends object>(
  load: Load<Props>,
  loadParts: () => Promise<unknown>,
  Frame: ComponentType<{ children: ComponentChildren }> = Fragment,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  function Loading(props: Props) {
    const isRetry = useRef(false);
    const read = useCallback(async () => {
      const [page] = await loadScript(() => Promise.all([load(), loadParts()]), isRetry.current);
      loaded = page;
      return page;
    }, []);
    const { resource, reload } = useResource(read);
    const retry = () => {
      isRetry.current = true;
      return reload();
    };
    if (resource.status === 'failed')
      return (
        <Frame>
          <PageFailed error={resource.error} retry={retry} />
        </Frame>
      );
    if (resource.status === 'loading')
      return (
        <Frame>
          <PageLoading rows={4} label={t('common.loadingPage')} />
        </Frame>
      );
    const Page = resource.value;
    return <Page {...props} />;
  }

  return function LazyPage(props: Props) {
    // Keeps the same component while the page is open. Another component would lose what the user typed.
    const [Page] = useState<ComponentType<Props>>(() => loaded ?? Loading);
    return <Page {...props} />;
  };
}
