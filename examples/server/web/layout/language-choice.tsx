import { Languages } from 'lucide-static';
import { useRef } from 'preact/hooks';
import { chooseLanguage, languages, useLanguage } from '../messages/language.ts';
import { languageFor } from '../messages/preference.ts';
import { t } from '../messages/t.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { QuietSelect } from '../ui/quiet-select.tsx';
import { useAction } from '../use-action.ts';

const nameOf = (language: string): string => languages.find(({ code }) => code === language)?.name ?? '';

/** Chooses the language in this browser. Each language is listed under its own name, so that its speakers find it. */
export function LanguageChoice({ hasVisibleLabel }: { hasVisibleLabel?: boolean }) {
  const chosen = useLanguage();
  const wanted = useRef(chosen);
  // Arrow keys also choose each language on the way to the wanted one, so only the last choice counts.
  const choose = useAction(async () => {
    for (let shown: typeof chosen | null = null; shown !== wanted.current; ) {
      shown = wanted.current;
      await chooseLanguage(shown);
    }
  });
  return (
    <>
      <QuietSelect
        icon={Languages}
        label={t('layout.language')}
        hasVisibleLabel={hasVisibleLabel ?? false}
        value={chosen}
        onValue={(language) => {
          wanted.current = language;
          void choose.run();
        }}
        options={[
          ['system', t('layout.languageSystem', { language: nameOf(languageFor('system')) })],
          ...languages.map(({ code, name }) => [code, name, code] as const),
        ]}
      />
      <ErrorNotice error={choose.error} />
    </>
  );
}
