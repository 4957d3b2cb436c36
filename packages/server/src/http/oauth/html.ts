import { createHash } from 'node:crypto';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Html | null | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

function toText(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'string' ? escapeText(part) : part.map(toText).join('');
}

/** A template of HTML: every part that is not HTML itself is escaped. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, i) => text + toText(parts[i] ?? null)).join(''));

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2, legend { font-size: 1rem; font-weight: 600; padding: 0; }
fieldset { border: 0; margin: 1.5rem 0; padding: 0; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
label { display: block; padding: .25rem 0; }
input[type=text], input[type=password] {
  box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid;
  border-radius: .25rem;
}
input[type=checkbox], input[type=radio] {
  width: 1.25rem; height: 1.25rem; vertical-align: -.25rem;
}
button {
  font: inherit; padding: .5rem 1.25rem; margin: 0 .5rem .5rem 0; border: 2px solid;
  border-radius: .25rem; background: Canvas; color: CanvasText; cursor: pointer;
}
button.primary { background: #0b57d0; border-color: #0b57d0; color: #fff; }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px; }
.notice { border: 2px solid; border-radius: .25rem; padding: .5rem 1rem; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** @param body the content of `main` */
export const page = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Mneme</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;

/**
 * The headers of a page. Its forms may lead to this service and then to `redirectUri`, because
 * browsers apply form-action to redirects as well. `same-origin` instead of no-referrer: with the
 * latter, browsers send `Origin: null` with forms, and their origin could not be checked.
 */
export const pageHeaders = (redirectUri?: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ["form-action 'self'", ...(redirectUri === undefined ? [] : [sourceOf(redirectUri)])].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
});

/** A source of a policy cannot be an IPv6 address: then its scheme. */
function sourceOf(url: string): string {
  const { origin, protocol, hostname } = new URL(url);
  return hostname.startsWith('[') ? protocol : origin;
}
