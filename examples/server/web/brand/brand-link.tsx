import { Brand } from './brand.tsx';

/** Opens the home page. */
export const BrandLink = () => (
  <a class="brand-link" href="/">
    <Brand onRail />
  </a>
);
