import type { ComponentChildren } from 'preact';

/** Screen readers ignore icons, because every icon has text beside it. */
function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      {children}
    </svg>
  );
}

/** A key in the shape of an L. */
export function LogoMark() {
  return (
    <svg class="logo-mark" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="9" cy="6.75" r="4" />
      <path d="M9 10.75V21h7.25M9 15.9h4.5" />
    </svg>
  );
}

export const KeyIcon = () => (
  <Icon>
    <circle cx="6.75" cy="13.25" r="3.5" />
    <path d="m9.25 10.75 7.5-7.5M13.5 6.5l2.25 2.25M11.25 8.75l1.5 1.5" />
  </Icon>
);

export const SecurityKeyIcon = () => (
  <Icon>
    <path d="M6.5 7.25h7v8a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2zM8 2.75h4v4.5H8z" />
    <circle cx="10" cy="12.25" r="1.25" />
  </Icon>
);

export const PasswordIcon = () => (
  <Icon>
    <rect x="2.25" y="5.75" width="15.5" height="8.5" rx="1.75" />
    <path d="M6.25 10v.05M10 10v.05M13.75 10v.05" />
  </Icon>
);

/** A sheet of paper with lines. */
export const CodesIcon = () => (
  <Icon>
    <path d="M4.75 2.75h10.5v14.5H4.75zM7.75 7h4.5M7.75 10h4.5M7.75 13h2.5" />
  </Icon>
);

export const ComputerIcon = () => (
  <Icon>
    <path d="M4.5 4.25h11v8.5h-11zM2.25 15.75h15.5" />
  </Icon>
);

export const PhoneIcon = () => (
  <Icon>
    <rect x="5.75" y="2.25" width="8.5" height="15.5" rx="1.75" />
    <path d="M9 15h2" />
  </Icon>
);

export const PersonIcon = () => (
  <Icon>
    <circle cx="10" cy="6.75" r="3.5" />
    <path d="M3.5 17.25c.6-3.4 3-5.25 6.5-5.25s5.9 1.85 6.5 5.25" />
  </Icon>
);

export const EnvelopeIcon = () => (
  <Icon>
    <path d="M2.75 4.75h14.5v10.5H2.75zM2.75 5.5 10 11l7.25-5.5" />
  </Icon>
);

/** Buildings of different sizes. */
export const OrganizationIcon = () => (
  <Icon>
    <path d="M3.25 17.25V3.25h8v14M11.25 8.25h5.5v9M1.75 17.25h16.5M6 6.5h2.5M6 9.75h2.5M6 13h2.5" />
  </Icon>
);

export const FileIcon = () => (
  <Icon>
    <path d="M4.75 2.75h7l3.5 3.5v11H4.75zM11.5 2.75v3.75h3.75M7.75 10.5h4.5M7.75 13.5h4.5" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7.25" />
    <path d="m6.75 10.25 2.25 2.25 4.25-4.75" />
  </Icon>
);

export const CircleIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7.25" stroke-dasharray="2.6 2.1" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="m7.75 5.5 4.5 4.5-4.5 4.5" />
  </Icon>
);

export const AlertIcon = () => (
  <Icon>
    <path d="M10 2.75 17.75 16.5H2.25zM10 8v4" />
    <path d="M10 14.1v.05" />
  </Icon>
);

export const InfoIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 9.25v4.25M10 6.4v.05" />
  </Icon>
);
