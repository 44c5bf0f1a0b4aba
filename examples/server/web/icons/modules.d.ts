declare module 'simple-icons/icons/*.svg' {
  /** The path of the icon. scripts/icons.ts extracts it from the file. */
  const path: string;
  export default path;
}
