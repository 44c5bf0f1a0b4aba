import { brandLogo } from '../site-settings.ts';
import { BrandMark } from './mark.tsx';

/** The logo of the setting BRAND_LOGO, or the mark of Latchkey. The name is always beside it. */
export const BrandLogo = ({ onRail }: { onRail: boolean }) =>
  brandLogo ? <img class="brand-logo" src={brandLogo} alt="" /> : <BrandMark onRail={onRail} />;
