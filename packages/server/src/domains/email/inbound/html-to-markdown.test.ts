import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../../../test/support/cpu-time.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

describe('HTML as Markdown', () => {
  it.each([
    ['<h2>Title</h2><p>Text</p>', '## Title\n\nText'],
    ['<p>one<p>two', 'one\n\ntwo'],
    ['a<br>b', 'a\nb'],
    ['<ul><li>one<li>two<ul><li>deep</ul></ul>', '- one\n- two\n  - deep'],
    ['<ol><li>one</li><li>two</li></ol>', '1. one\n2. two'],
    ['<b>bold</b> and <i>leaning</i>', '**bold** and *leaning*'],
    ['<a href="https://a.example/x?a=1&amp;b=2">go</a>', '[go](https://a.example/x?a=1&b=2)'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['<a href="javascript:x()">go</a>', 'go'],
    ["<a href='data:text/html,x'>go</a>", 'go'],
    ['<blockquote><p>said</p></blockquote><p>after</p>', '> said\n\nafter'],
    ['<pre>a\n  b</pre>', '```\na\n  b\n```'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a | b\nc'],
    ['<style>x{}</style><script>if (a<b) c()</script><title>t</title>seen', 'seen'],
    ['&lt;b&gt; &eacute; &#9730; &nbsp; x', '<b> é ☂ x'],
    ['<img alt="a cat" src="x">', 'a cat'],
    ['<!-- hidden --><p>shown', 'shown'],
    ['plain < words > here', 'plain < words > here'],
    ['<p unclosed', ''],
    ['', ''],
  ])('%j is %j', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it('takes time linear in the input length at any nesting depth', () => {
    for (const tag of [
      '<div>',
      '<b>',
      '<ul><li>',
      '<a href="https://a.example">',
      '<blockquote>',
      '<',
    ]) {
      const texts = [
        tag.repeat(100_000),
        `${tag.repeat(50_000)}x${'</a></b></div>'.repeat(20_000)}`,
      ];
      expect(leastCpuMs(() => texts.map(htmlToMarkdown), 1)).toBeLessThan(4_000);
    }
  });
});
