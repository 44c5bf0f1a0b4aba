import { type ComponentChildren, type ComponentType, Fragment } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { Entrance } from '../entrance/entrance.tsx';
import { loadScript } from '../load-script.ts';
import { loadConsoleMessages, loadLinkMessages } from '../messages/language.ts';
import { t } from '../messages/t.tsx';
import { useResource } from '../use-resource.ts';
import { PageFailed } from './page-failed.tsx';
import { PageLoading } from './page-loading.tsx';
import { RequireAccount } from './require-account.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A page for signed-in users. Its script is loaded when a signed-in user first opens the page, so that visitors do not
 * load it.
 */
export function lazyPage<Props extends object>(load: Load<Props>): ComponentType<Props> {
  const Page = lazy(load, loadConsoleMessages);
  return (props: Props) => <RequireAccount>{() => <Page {...props} />}</RequireAccount>;
}

/** A page that visitors open with a link. Its script is loaded when the link is opened. */
export function lazyLinkPage<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return lazy(load, loadLinkMessages, ({ children }) => <Entrance>{children}</Entrance>);
}

/** @param Frame the frame of the messages while the script is loaded */
function lazy<Props extends object>(
  load: Load<Props>,
  loadMessages: () => Promise<void>,
  Frame: ComponentType<{ children: ComponentChildren }> = Fragment,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  function Loading(props: Props) {
    const isRetry = useRef(false);
    const read = useCallback(async () => {
      const [page] = await loadScript(() => Promise.all([load(), loadMessages()]), isRetry.current);
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
    // The same component until the page is left. Another component would mount the page again and lose what was typed.
    const [Page] = useState<ComponentType<Props>>(() => loaded ?? Loading);
    return <Page {...props} />;
  };
}
