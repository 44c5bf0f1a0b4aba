import { keyhole } from '../brand/mark.tsx';
import { brandName } from '../site-settings.ts';

const panels = [1, 2, 3, 4, 5, 6];

/** A picture of a door that is ajar, with the product's name on a plate. Screen readers ignore it. */
export const Door = () => (
  <div class="door" aria-hidden="true">
    <div class="door__gap" />
    <div class="door__leaf">
      <div class="door__panels">
        {panels.map((panel) => (
          <div class="door__panel" key={panel} />
        ))}
      </div>
      <div class="door__lock">
        <div class="door__knob" />
        <svg class="door__keyhole" viewBox="0 0 32 32" aria-hidden="true">
          <path d={keyhole} />
        </svg>
      </div>
      <div class="door__nameplate">
        <bdi>{brandName}</bdi>
      </div>
    </div>
  </div>
);
