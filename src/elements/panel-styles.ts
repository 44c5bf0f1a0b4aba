/** The rules for dialogs and for the buttons in them. */
export const panelRules = `
h2, h3, ul { margin: 0; padding: 0; font-size: 1em; }
h2 { font-size: 1.2857em; }
ul { list-style: none; }
.actions { display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: 0.5rem; }
.danger-button { border-color: transparent; background: var(--_danger); color: var(--_danger-surface); }
.danger-button:hover { background: var(--_danger); text-decoration: underline; }
dialog { width: min(30rem, calc(100vw - 2rem)); padding: 0; border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 2); background: var(--_surface); color: inherit; }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
.panel { padding: 1.5rem; }
`;
