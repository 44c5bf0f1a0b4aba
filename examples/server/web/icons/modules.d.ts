declare module 'simple-icons/icons/*.svg' {
  /** The path of the icon. scripts/icons.ts takes it out of the file. */
  const path: string;
  export default path;
}
