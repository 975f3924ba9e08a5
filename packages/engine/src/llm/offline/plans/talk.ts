import type { Request } from '../grammar/request.ts';
import type { Plan } from '../plan.ts';
import { paragraphs } from '../render.ts';

type Spoken = Extract<
  Request,
  { kind: 'help' | 'about' | 'model' | 'greeting' | 'thanks' | 'continue' | 'unclear' | 'unknown' }
>;

/** How a language model is added, in one line each. */
const ADD_A_MODEL = `Add a language model by setting its key:

- \`ANTHROPIC_API_KEY=… black -p "…"\`
- \`OPENAI_API_KEY=… black -p "…"\`
- \`OPENAI_BASE_URL=http://localhost:11434/v1 black --model openai/NAME -p "…"\` for a compatible server

\`--model provider/model\` chooses one of several.`;

/** What can be asked; of any workspace, so no names of one. */
const ABILITIES = `- **Find**: \`Where is the title validated?\` · \`find "a text as it stands"\`
- **Explain**: \`What does this project do?\` · \`explain FILE\` · \`explain NAME\`
- **Uses**: \`Who calls NAME?\` · \`What breaks if I change NAME?\` · \`Which tests cover NAME?\` · \`How do NAME and OTHER connect?\`
- **Replace text**: \`replace "colour" with "color" in FOLDER\` · \`rename OLD to NEW in FILE\`
- **Tests**: \`run the tests\` · \`run the tests in FOLDER\`
- **Read**: \`show FILE lines 10-40\` · \`list FOLDER\` · \`show me the project structure\``;

const WHAT_I_AM =
  'There is no language model behind this: it is the built-in `offline` provider, which works by a graph and an index of the code, text search and your own commands.';

const ABILITY = 'offline I can find, outline, replace text, read files and run your tests (`help` shows how to ask).';
const TO_ADD =
  'To add a model, set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` (or `OPENAI_BASE_URL` with `--model openai/NAME` for a compatible server) and ask again.';

/** Answers what needs no tool. */
// biome-ignore lint/correctness/useYield: a plan that asks for nothing is still a plan.
export function* talk(request: Spoken): Plan {
  switch (request.kind) {
    case 'greeting':
      return paragraphs(`Hello. ${WHAT_I_AM}`, 'Try one of these:', ABILITIES);
    case 'help':
      return paragraphs(WHAT_I_AM, 'What it understands:', ABILITIES, ADD_A_MODEL);
    case 'about':
      return paragraphs(WHAT_I_AM, ADD_A_MODEL);
    case 'model':
      return ADD_A_MODEL;
    case 'thanks':
      return 'You are welcome.';
    case 'continue':
      return 'There is nothing to go on with yet.';
    case 'unclear':
      return request.hint;
    case 'unknown':
      return request.instead
        ? `That is not one of the requests I understand offline. ${request.instead} \`help\` shows what I understand, and how to add a language model.`
        : `That takes a language model, and none is set up: ${ABILITY} ${TO_ADD}`;
  }
}
