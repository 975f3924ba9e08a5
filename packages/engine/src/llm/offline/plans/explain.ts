import type { Target } from '../grammar/request.ts';
import type { Plan, ToolSet } from '../plan.ts';
import { explainFile } from './explain-file.ts';
import { explainProject } from './explain-project.ts';
import { explainSymbol } from './explain-symbol.ts';
import { find } from './find.ts';
import { locate, notThere } from './locate.ts';

/** What does X do: a file's outline, a name's definition, the project's own description, or where the words meet. */
export function* explain(target: Target, tools: ToolSet): Plan {
  switch (target.of) {
    case 'project':
      return yield* explainProject(tools);
    case 'path': {
      if (/:\d+$/.test(target.path)) return yield* explainSymbol(target.path, undefined, tools);
      const answer = yield* explainFile(target.path, tools);
      // A well-known name such as LICENSE may be no file here and yet be spoken of.
      if (!/^There is no file or folder/.test(answer) || !/^[a-z]+$/i.test(target.path)) return answer;
      return yield* find({ phrases: [], names: [], words: [target.path.toLowerCase()], wants: 'any' }, tools, {
        lead: notThere(target.path),
      });
    }
    case 'symbol':
      return yield* explainSymbol(target.name, target.owner, tools);
    case 'words': {
      const [word, ...others] = target.subject.words;
      if (word && others.length + target.subject.names.length + target.subject.phrases.length === 0)
        return yield* explainWord(word, tools);
      return yield* find(target.subject, tools, {
        lead: 'I cannot explain in words, only show the place that fits best.',
      });
    }
  }
}

/** A single plain word may be a file, a folder or a name. */
function* explainWord(word: string, tools: ToolSet): Plan {
  const found = yield* locate(word, tools);
  return found.length === 1 ? yield* explainFile(found[0]!, tools) : yield* explainSymbol(word, undefined, tools);
}
