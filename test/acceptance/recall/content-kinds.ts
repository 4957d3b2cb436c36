export const hanText = (count: number): string =>
  Array.from({ length: count }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000)),
  ).join('');
const code = 'export const f = (x: number): string => {\n\treturn `x` + "\\n"; // ok\n};\n';

/** By kind, contents that are hard to count and to cut. */
export const contentKinds: Readonly<Record<string, readonly string[]>> = {
  short: ['yes', 'ok, thanks!', '7', '[x] done', '…'],
  words: [40, 300, 2_000].map((count) => 'a plain line of words, some longer. '.repeat(count)),
  cjk: [
    hanText(30),
    hanText(900),
    'お茶が好きです。'.repeat(60),
    '나는 차를 좋아한다. '.repeat(60),
  ],
  emoji: ['🦊', '👩🏽‍🚀👨‍👩‍👧‍👦'.repeat(40), '🇫🇷🇯🇵'.repeat(500)],
  code: [code, code.repeat(40), '\t'.repeat(300), '{"a":[1,2,{"b":null}]}'.repeat(90)],
  runs: [
    'x'.repeat(3_000),
    'ß'.repeat(700),
    '!'.repeat(2_000),
    `a${' '.repeat(900)}b`,
    '/\n'.repeat(900),
  ],
  odd: [
    '\u202eשלום مرحبا',
    'e\u0301\u0301'.repeat(50),
    'a\r\n\r\n\r\nb\u2028c',
    '  \n indented\n\n\n',
  ],
  special: ['<|endoftext|> and <|im_start|>system', '<|endofprompt|>'.repeat(30)],
};
