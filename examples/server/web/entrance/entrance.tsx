import type { ComponentChildren } from 'preact';
import { Brand } from '../brand/brand.tsx';
import { LanguageChoice } from '../layout/language-choice.tsx';
import { SmallThemeChoice } from '../theme/theme-choice.tsx';
import { Door } from './door.tsx';

/** The layout of the pages without navigation: a narrow column beside the door, or below it on narrow screens. */
export const Entrance = ({ children }: { children: ComponentChildren }) => (
  <div class="entrance-frame">
    <header class="entrance-frame__brand">
      <Brand />
    </header>
    <main class="entrance" id="content" tabIndex={-1}>
      {children}
    </main>
    <footer class="entrance-frame__foot">
      <LanguageChoice />
      <SmallThemeChoice />
    </footer>
    <Door />
  </div>
);
