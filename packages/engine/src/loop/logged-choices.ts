import { customData, type Entry, type ThinkingLevel } from '@black-ide/protocol';
import { THINKING_LEVELS } from '../llm/constants.ts';

/** What a session's log says of mode, model and thinking. */
export interface LoggedChoices {
  mode?: string;
  /** The newest model, whoever chose it. */
  model?: string;
  /** The newest model that a person chose. */
  chosenModel?: string;
  /** The newest one that was taken because nobody had chosen any. */
  usualModel?: string;
  thinking?: ThinkingLevel;
}

/**
 * The newest mode, model and thinking on a path; a level that only other programs have counts as none. A model counts as
 * chosen by a person unless the task that it was logged for says otherwise.
 */
export function settingsOf(path: readonly Entry[]): LoggedChoices {
  const choices: LoggedChoices = {};
  let chosenBefore: string | undefined;
  for (const entry of path) {
    if (entry.type === 'mode_change') choices.mode = String(entry.mode);
    if (entry.type === 'model_change') {
      chosenBefore = choices.chosenModel;
      choices.model = choices.chosenModel = `${entry.provider}/${entry.modelId}`;
    }
    const start = customData(entry, 'task_start');
    if (start?.modelBy) {
      if (choices.chosenModel === start.model && chosenBefore !== undefined) choices.chosenModel = chosenBefore;
      else if (choices.chosenModel === start.model) delete choices.chosenModel;
      if (start.modelBy === 'default') choices.usualModel = start.model;
    }
    if (entry.type === 'thinking_level_change') {
      const level = THINKING_LEVELS.find((each) => each === entry.thinkingLevel);
      if (level) choices.thinking = level;
      else delete choices.thinking;
    }
  }
  return choices;
}
