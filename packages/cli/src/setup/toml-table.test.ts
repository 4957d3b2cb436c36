import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getTomlTable, setTomlTable } from './toml-table.ts';

const name = 'mcp_servers.mneme';
const table = `[${name}]\nurl = "http://127.0.0.1:7077/mcp"\n`;
const set = (text: string, to: string | undefined) => setTomlTable(text, name, to, 'config.toml');

describe('a table of a TOML file', () => {
  it.each([
    ['', table],
    ['model = "o4"\n', `model = "o4"\n\n${table}`],
    ['# no line end', `# no line end\n\n${table}`],
    ['[mcp_servers.other]\nurl = "x"\n', `[mcp_servers.other]\nurl = "x"\n\n${table}`],
    [
      `[ mcp_servers . mneme ] # old\nurl = "y"\n\n[tools]\na = [\n 1\n]\n`,
      `${table}\n[tools]\na = [\n 1\n]\n`,
    ],
  ])('is added to %j, and the rest stays', (text, expected) => {
    expect(set(text, table)).toBe(expected);
    expect(set(expected, table)).toBe(expected);
    expect(getTomlTable(expected, name)?.trim()).toBe(table.trim());
  });

  it.each(['mcp_servers = {}\n', 'mcp_servers.mneme.url = "x"\n', '[mcp_servers]\nmneme = {}\n'])(
    'is not added to %j, which has another form',
    (text) => {
      expect(() => set(text, table)).toThrow('add [mcp_servers.mneme] by hand');
    },
  );

  it('is removed so that the text before and after it stays', () => {
    const line = fc.constantFrom('a = 1', '# comment', '[tools]', '[mcp_servers.other]', '');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.map((each) => `${each}\n`).join('');
        const added = set(text, table);
        expect(added.startsWith(text)).toBe(true);
        expect(set(added, undefined).trimEnd()).toBe(text.trimEnd());
        expect(getTomlTable(set(added, undefined), name)).toBeUndefined();
      }),
    );
  });
});
