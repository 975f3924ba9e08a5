import type { Entry, ThinkingLevel } from '@black-ide/protocol';
import { THINKING_LEVELS } from '../llm/constants.ts';

/** What a session's log says of mode, model and thinking. */
export interface LoggedChoices {
  mode?: string;
  /** The newest model, whoever named it. */
  model?: string;
  /** The one that a person named; gone where another one, that is no mode's, came after it. */
  chosenModel?: string;
  /** The newest one that was taken because nobody had named any, or that another program logged. */
  usualModel?: string;
  thinking?: ThinkingLevel;
}

/** The newest mode, model and thinking on a path; a level that only other programs have counts as none. */
export function settingsOf(path: readonly Entry[]): LoggedChoices {
  const choices: LoggedChoices = {};
  for (const entry of path) {
    if (entry.type === 'mode_change') choices.mode = String(entry.mode);
    if (entry.type === 'model_change') {
      const model = `${entry.provider}/${entry.modelId}`;
      choices.model = model;
      if (entry.chosen === true) choices.chosenModel = model;
      else if (entry.ofMode !== true) {
        delete choices.chosenModel;
        choices.usualModel = model;
      }
    }
    if (entry.type === 'thinking_level_change') {
      const level = THINKING_LEVELS.find((each) => each === entry.thinkingLevel);
      if (level) choices.thinking = level;
      else delete choices.thinking;
    }
  }
  return choices;
}
