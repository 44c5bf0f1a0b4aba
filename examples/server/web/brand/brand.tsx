import { brandName } from '../site-settings.ts';
import { BrandLogo } from './brand-logo.tsx';

/** The logo and the name of the product. */
export const Brand = ({ onRail = false }: { onRail?: boolean }) => (
  <span class={`brand${onRail ? ' brand--on-rail' : ''}`}>
    <BrandLogo onRail={onRail} />
    <span class="brand__name">
      <bdi>{brandName}</bdi>
    </span>
  </span>
);
