const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for HTML content and attributes. Characters that HTML does not allow even escaped
 * become the replacement character.
 */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one)
    .replaceAll(/[^\P{Cc}\t\n\f\r]|\p{Noncharacter_Code_Point}/gu, '\ufffd');
