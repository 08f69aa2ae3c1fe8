// Entry points in which the batch size stands in every way that people write it.

// So small that all batch sizes are measured within seconds.
const HEAD = `import os
import torch
from torch import nn


def sightline_model_provider():
    return nn.Linear(64, 8)


def sightline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def iteration(inputs):
        optimizer.zero_grad()
        model(inputs).sum().backward()
        optimizer.step()

    return iteration


`;
const BODY = `
    return (torch.randn(batch_size, 64),)
`;

export const entryPoint = (signature: string) => HEAD + signature + BODY;

interface Written {
  about: string;
  /** What stands in place of the signature; the batch size is in angle quotes, here or in `config`. */
  signature: string;
  /** The text of config.py, which the entry point imports. */
  config?: string;
  whole?: (text: string) => string;
  encoding?: 'utf8' | 'latin1';
}

const WRITTEN: Written[] = [
  {
    about: 'annotations, and the same number in a comment',
    signature: 'def sightline_input_provider(batch_size: int = «16») -> tuple[int, ...]:  # 16!',
  },
  {
    about: 'several lines with comments',
    signature:
      'def sightline_input_provider(\n    batch_size=«16»,  # of each of 16 workers\n    *,\n    seed=16,\n):',
  },
  {
    about: 'by keyword only',
    signature: 'def sightline_input_provider(*, seed=16, batch_size=«16», **more):',
  },
  {
    about: 'a constant of the file',
    signature:
      'BATCH_SIZE = «8 * 2»  # fits\n\n\ndef sightline_input_provider(batch_size=BATCH_SIZE):',
  },
  {
    about: 'a constant by another name',
    signature: 'SIZE: int = «16»\nLAST = SIZE\n\n\ndef sightline_input_provider(batch_size=LAST):',
  },
  {
    about: 'a constant of another file',
    signature:
      'from config import (\n    BATCH_SIZE as SIZE,\n)\n\n\ndef sightline_input_provider(batch_size=SIZE):',
    config: 'SEED = 16\nBATCH_SIZE = «16»  # two nodes of 16\n',
  },
  {
    about: 'a constant of a module',
    signature: 'import config as c\n\n\ndef sightline_input_provider(batch_size=c.BATCH_SIZE):',
    config: 'BATCH_SIZE = «16»\n',
  },
  { about: 'a shift', signature: 'def sightline_input_provider(batch_size=«1 << 4»):' },
  {
    about: 'a product',
    signature: 'def sightline_input_provider(batch_size=«8 * 2», more=dict(size=16)):',
  },
  {
    about: 'a product over two lines',
    signature:
      'def sightline_input_provider(\n        batch_size=«(8  # here\n        * 2)», seed=16):',
  },
  {
    about: 'in hexadecimal',
    signature: 'def sightline_input_provider(seed=(1, 16), batch_size=«0x10», **rest):',
  },
  { about: 'with an underscore', signature: 'def sightline_input_provider(batch_size=«1_6»):' },
  {
    about: 'lines that go on after a backslash',
    signature: 'def \\\n  sightline_input_provider(batch_size \\\n = «16»):',
  },
  {
    about: 'below a decorator that has one too',
    signature: '@torch.no_grad(\n)\ndef sightline_input_provider(batch_size=«16», last=16):',
  },
  {
    about: 'after a text that looks the same',
    signature:
      '"""\ndef sightline_input_provider(batch_size=16):\n"""\ndef sightline_input_provider(batch_size=«16»):',
  },
  {
    about: 'a byte order mark',
    signature: 'NAME = "größe"\ndef sightline_input_provider(batch_size=«16»):',
    whole: (text) => `\ufeff${text}`,
  },
  {
    about: 'latin-1',
    signature: 'NAME = "größe 16"\ndef sightline_input_provider(batch_size=«16»):',
    whole: (text) => `# -*- coding: latin-1 -*-\n${text}`,
    encoding: 'latin1',
  },
  {
    about: 'lines that end with CR and LF',
    signature: 'def sightline_input_provider(\n    batch_size=«16»,\n    seed=16,\n):',
    whole: (text) => text.replaceAll('\n', '\r\n'),
  },
  {
    about: 'tabs',
    signature: 'def sightline_input_provider(\n    batch_size\t=\t«16»,\t# 16\n):',
    whole: (text) => text.replaceAll('    ', '\t'),
  },
  {
    about: 'a file whose last line has no end',
    signature: 'def sightline_input_provider(batch_size=«16»):',
    whole: (text) => text.trimEnd(),
  },
];

export interface Layout {
  about: string;
  /** Where the batch size stands. */
  file: string;
  line: number;
  /** All files, as they are before it is applied. */
  files: Record<string, Buffer>;
  /** That file, before and after a batch of 77 was applied. */
  before: Buffer;
  after: Buffer;
}

function layoutOf({ about, signature, config, whole, encoding = 'utf8' }: Written): Layout {
  const entry = (whole ?? ((text) => text))(entryPoint(signature));
  const [file, text] = config ? ['config.py', config] : ['entry_point.py', entry];
  const encoded = (of: string) => Buffer.from(of, encoding);
  const before = encoded(text.replace(/«([^»]*)»/, '$1'));
  return {
    about,
    file,
    line: text.slice(0, text.indexOf('«')).split('\n').length,
    files: { 'entry_point.py': encoded(entry), [file]: before },
    before,
    after: encoded(text.replace(/«[^»]*»/, '77')),
  };
}

/** Every layout. */
export const LAYOUTS: Layout[] = WRITTEN.map(layoutOf);
