/** Styles as text, as both bundlers give them. */
declare module '*.css' {
  const text: string;
  export default text;
}
