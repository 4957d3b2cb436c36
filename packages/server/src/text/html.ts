const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text within HTML, also within an attribute. What no document may hold, not even escaped, is
 * shown as the replacement character.
 */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one)
    .replaceAll(/[^\P{Cc}\t\n\f\r]|\p{Noncharacter_Code_Point}/gu, '\ufffd');
