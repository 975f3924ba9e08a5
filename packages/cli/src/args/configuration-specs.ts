import { type CommandSpec, HELP, JSON_FLAG } from './spec.ts';

/** Commands about what configures us. */
export const CONFIGURATION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'trust',
    about: 'Trust a folder, so that it may be changed, commands run in it, and its configuration is read.',
    usage: ['black trust [FOLDER] [options]'],
    words: { min: 0, max: 1 },
    flags: [
      { name: 'show', about: 'only tell whether it is trusted, and what of it is not read as long as it is not' },
      { name: 'list', about: 'list the trusted folders' },
      { name: 'revoke', about: 'take the trust back' },
      JSON_FLAG,
      HELP,
    ],
    examples: [
      { line: 'black trust', about: 'this folder, for good; repositories inside it are asked about on their own' },
      { line: 'black trust --show', about: 'what is in it that would be read' },
      { line: 'black trust --revoke ~/old', about: 'not any more' },
    ],
  },
  {
    name: 'modes',
    about: 'List the modes, where they come from, and what is wrong with files of modes.',
    usage: ['black modes [options]'],
    words: { min: 0, max: 0 },
    flags: [JSON_FLAG, HELP],
    examples: [{ line: 'black modes', about: 'built-in ones, yours, and those of this folder if it is trusted' }],
  },
];
