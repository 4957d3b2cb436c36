/** Text with its line breaks, as it is. */
export const Code = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard.
  <pre className="code" tabIndex={0}>
    {children}
  </pre>
);
