import { describe, expect, it } from 'vitest';
import { docQuestion } from './doc-question.ts';

describe('the question of a doc comment', () => {
  it.each([
    ['Python', '    """Read a file\n    and parse it.\n\n    Longer words."""'],
    ['Python on one line', '    r"""Read a file and parse it."""'],
    ['JavaScript', '/**\n * Read a file\n * and parse it.\n * @param path where it is\n */'],
    ['Java, with tags', '/** Read a <b>file</b> and parse it. */'],
    ['Go and Rust', '/// Read a file\n/// and parse it.\n///\n/// # Examples'],
    ['C#', '/// <summary>\n/// Read a file and parse it.\n/// </summary>'],
    ['shell and Ruby', '# Read a file and parse it.\n#\n# more'],
    ['Lua', '--[[ Read a file\n  and parse it. ]]'],
  ])('INT-10 is its first paragraph: %s', (_name, comment) => {
    expect(docQuestion(comment.split('\n'))).toBe('Read a file and parse it.');
  });

  it('INT-10 is none where it says too little', () => {
    for (const comment of ['/** Reads. */', '"""', '', '/** @return the file that was read */']) {
      expect(docQuestion(comment.split('\n')), comment).toBeUndefined();
    }
  });
});
