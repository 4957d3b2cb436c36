import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { OperationCaller } from '../../calls.ts';
import { assertKnownNames } from '../../options.ts';
import { RecordStore, type RecordValue, type StoredRecord } from '../records.ts';
import type { MemoryScope } from '../scope.ts';
import { toPathText, toRecordPath, toSegments } from './paths.ts';
import { renderChange, renderFile, renderFolder, replaceOnce } from './texts.ts';

type Command<Name extends keyof MemoryToolHandlers> = Parameters<MemoryToolHandlers[Name]>[0];

export interface MnemeMemoryToolOptions {
  readonly client: OperationCaller;
  /** The space and owner of the files: each user has a /memories of their own. */
  readonly scope?: MemoryScope | undefined;
}

/**
 * Handlers of Anthropic's memory tool `memory_20250818` on Mneme: a file is a memory, and a folder
 * exists as long as it has files. Results and errors have the texts of
 * `BetaLocalFilesystemMemoryTool`.
 *
 * ```ts
 * const memory = betaMemoryTool(new MnemeMemoryTool({ client, scope: { user_id: 'ana' } }));
 * await anthropic.beta.messages.toolRunner({ …, tools: [memory] });
 * ```
 */
export class MnemeMemoryTool implements MemoryToolHandlers {
  readonly #records: RecordStore;

  constructor(options: MnemeMemoryToolOptions) {
    assertKnownNames('MnemeMemoryTool', options, ['client', 'scope']);
    this.#records = new RecordStore(options.client, 'memory-tool', options.scope ?? {});
  }

  async view({ path, view_range }: Command<'view'>): Promise<string> {
    const segments = toSegments(path);
    const file = await this.#findFile(segments);
    if (file) return renderFile(path, toText(file), view_range);
    const files = await this.#listFolder(segments);
    if (files.length === 0 && segments.length > 0) throw missing(path);
    const listed = files.map((each) => ({
      names: [...each.folder, each.key].slice(segments.length),
      bytes: new TextEncoder().encode(toText(each)).length,
    }));
    return renderFolder(path, listed);
  }

  async create({ path, file_text }: Command<'create'>): Promise<string> {
    const segments = toSegments(path);
    if (await this.#exists(segments)) throw new Error(`File ${path} already exists`);
    await this.#requireFolder(segments.slice(0, -1));
    await this.#records.create([{ ...toRecordPath(segments), ...toValue(file_text) }]);
    return `File created successfully at: ${path}`;
  }

  async str_replace({ path, old_str, new_str }: Command<'str_replace'>): Promise<string> {
    const file = await this.#requireFile(path);
    const { text, line } = replaceOnce(path, toText(file), old_str, new_str);
    await this.#records.replace(file, toValue(text));
    return renderChange(text, line);
  }

  async insert({ path, insert_line, insert_text }: Command<'insert'>): Promise<string> {
    const file = await this.#requireFile(path);
    const lines = toText(file).split('\n');
    if (insert_line < 0 || insert_line > lines.length) {
      throw new Error(
        `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of ` +
          `lines of the file: [0, ${lines.length}]`,
      );
    }
    const inserted = lines.toSpliced(insert_line, 0, insert_text.replace(/\n$/, ''));
    await this.#records.replace(file, toValue(inserted.join('\n')));
    return `The file ${path} has been edited.`;
  }

  async delete({ path }: Command<'delete'>): Promise<string> {
    const segments = toSegments(path);
    if (segments.length === 0) throw new Error('Cannot delete the /memories directory itself');
    const files = await this.#listAt(segments);
    if (files.length === 0) throw new Error(`The path ${path} does not exist`);
    for (const file of files) await this.#records.remove(file);
    return `Successfully deleted ${path}`;
  }

  async rename({ old_path, new_path }: Command<'rename'>): Promise<string> {
    const [from, to] = [toSegments(old_path), toSegments(new_path)];
    if (from.length === 0) throw new Error('Cannot rename the /memories directory itself');
    if (await this.#exists(to)) throw new Error(`The destination ${new_path} already exists`);
    const files = await this.#listAt(from);
    if (files.length === 0) throw new Error(`The path ${old_path} does not exist`);
    if (from.every((name, depth) => to[depth] === name)) {
      throw new Error(`Cannot rename ${old_path} to a path below itself`);
    }
    await this.#requireFolder(to.slice(0, -1));
    for (const file of files) {
      const below = [...file.folder, file.key].slice(from.length);
      await this.#records.replace(file, toValue(toText(file)), toRecordPath([...to, ...below]));
    }
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  async #findFile(segments: readonly string[]): Promise<StoredRecord | null> {
    return segments.length === 0 ? null : this.#records.find(toRecordPath(segments));
  }

  async #listFolder(segments: readonly string[]): Promise<StoredRecord[]> {
    const files: StoredRecord[] = [];
    for await (const file of this.#records.list(segments)) files.push(file);
    return files;
  }

  /** The file at a path, or all files of the folder. */
  async #listAt(segments: readonly string[]): Promise<StoredRecord[]> {
    const file = await this.#findFile(segments);
    return file ? [file] : this.#listFolder(segments);
  }

  async #exists(segments: readonly string[]): Promise<boolean> {
    return segments.length === 0 || (await this.#listAt(segments)).length > 0;
  }

  async #requireFile(path: string): Promise<StoredRecord> {
    const segments = toSegments(path);
    const file = await this.#findFile(segments);
    if (file) return file;
    throw (await this.#exists(segments))
      ? new Error(`The path ${path} is not a file.`)
      : missing(path);
  }

  /** A file has no files below it. */
  async #requireFolder(segments: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const folder = segments.slice(0, depth);
      if (await this.#findFile(folder)) {
        throw new Error(`The path ${toPathText(folder)} is not a directory.`);
      }
    }
  }
}

const missing = (path: string): Error =>
  new Error(`The path ${path} does not exist. Please provide a valid path.`);

/** A memory has content, and a file may have none. */
const toValue = (text: string): RecordValue =>
  text === '' ? { content: '(empty file)', extra: { empty: true } } : { content: text, extra: {} };

const toText = ({ memory }: StoredRecord): string =>
  memory.metadata.empty === true ? '' : memory.content;
