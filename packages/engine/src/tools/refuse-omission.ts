import { omissionPlaceholder } from '@black-ide/workspace';
import { errorResult, type ToolResult } from './define-tool.ts';

/** The refusal of a new text in which a line stands for code that was left out; undefined where there is none. */
export function refuseOmission(newText: string, oldText: string, path: string): ToolResult | undefined {
  const found = omissionPlaceholder(newText, oldText);
  if (!found) return undefined;
  return errorResult(
    `${path}: line ${found.line} of the new text, “${found.text}”, stands for code that is left out. Writing it would delete that code; nothing was written. Send the text whole, or change less of the file.`,
  );
}
