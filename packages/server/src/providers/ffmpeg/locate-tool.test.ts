import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createFfmpeg, ToolMissing } from './index.ts';
import { locateTool } from './locate-tool.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-locate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that prints a version like FFmpeg's. */
async function program(toolPath: string, version: string): Promise<string> {
  await mkdir(path.dirname(toolPath), { recursive: true });
  const output = `${path.basename(toolPath)} version ${version} Copyright (c) 2000-2026`;
  await writeFile(toolPath, `#!/bin/sh\necho '${output}'\n`);
  await chmod(toolPath, 0o700);
  return toolPath;
}

/** Like the packages: the export contains the path of the program. */
async function packaged(tool: 'ffmpeg' | 'ffprobe'): Promise<string> {
  const root = path.join(folder, 'app', 'node_modules', `@${tool}-installer`, tool);
  const toolPath = await program(path.join(root, 'bin', tool), '4.1');
  await writeFile(path.join(root, 'package.json'), '{"main":"index.js"}');
  await writeFile(path.join(root, 'index.js'), `exports.path = ${JSON.stringify(toolPath)};`);
  return toolPath;
}
const from = () => path.join(folder, 'app', 'locate.js');

test('a program that is not on the PATH is found in its package', async () => {
  for (const tool of ['ffmpeg', 'ffprobe'] as const) {
    const toolPath = await packaged(tool);
    expect(await locateTool(tool, null, '', from())).toBe(toolPath);
    expect(await locateTool(tool, null, folder, from())).toBe(toolPath);
  }
});

test('the PATH precedes the package, and the setting precedes both', async () => {
  await packaged('ffmpeg');
  const onPath = await program(path.join(folder, 'bin', 'ffmpeg'), '7.1');
  const configured = await program(path.join(folder, 'own', 'ffmpeg-8'), '8.0');
  const PATH = ['.', path.join(folder, 'nothing'), path.dirname(onPath)].join(path.delimiter);
  expect(await locateTool('ffmpeg', null, PATH, from())).toBe(onPath);
  expect(await locateTool('ffmpeg', configured, PATH, from())).toBe(configured);
});

test('a missing program is reported with what to install', async () => {
  const missing = locateTool('ffmpeg', null, folder, from());
  await expect(missing).rejects.toThrow(/apt install ffmpeg.*@ffmpeg-installer\/ffmpeg/);
  await packaged('ffprobe');
  const wrong = locateTool('ffprobe', path.join(folder, 'none'), '', from());
  await expect(wrong).rejects.toThrow(ToolMissing);
});

test('versions are reported, also of programs installed later', async () => {
  const toolPath = (tool: string): string => path.join(folder, 'bin', tool);
  const places = { ffmpeg: toolPath('ffmpeg'), ffprobe: toolPath('ffprobe') };
  const ffmpeg = createFfmpeg({ ...places, searchPath: '', ffmpegCallsMax: null }, systemClock);
  await expect(ffmpeg.versions()).rejects.toThrow(ToolMissing);
  await program(places.ffmpeg, '5.1.8-0+deb12u1');
  await program(places.ffprobe, 'N-66595-gc2b38619c0-static');
  expect(await ffmpeg.versions()).toEqual({
    ffmpeg: '5.1.8-0+deb12u1',
    ffprobe: 'N-66595-gc2b38619c0-static',
  });
});
