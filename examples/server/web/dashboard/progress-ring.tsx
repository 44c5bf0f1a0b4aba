import { t } from '../messages/t.tsx';

const radius = 26;
const length = 2 * Math.PI * radius;

/** How many steps are done, as a number and as a part of a circle. */
export const ProgressRing = ({ done, total }: { done: number; total: number }) => (
  <span class="ring">
    <svg class="ring__drawing" viewBox="0 0 64 64" aria-hidden="true">
      <circle class="ring__track" cx="32" cy="32" r={radius} />
      {done > 0 && (
        <circle
          class="ring__done"
          cx="32"
          cy="32"
          r={radius}
          stroke-dasharray={`${(done / total) * length} ${length}`}
        />
      )}
    </svg>
    <span class="ring__text" aria-hidden="true">
      {done}/{total}
    </span>
    <span class="visually-hidden">{t('home.progress', { done, total })}</span>
  </span>
);
