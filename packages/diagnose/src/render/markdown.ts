import type { Diagnosis } from '@black-ide/protocol';

const KINDS: Readonly<Record<Diagnosis['classification']['kind'], string>> = {
  bug: 'A bug',
  crash: 'A crash',
  feature_request: 'A feature request',
  question: 'A question',
  not_enough_information: 'Not enough information',
  spam: 'Spam',
};

/** A diagnosis for people (DX-11). */
export function diagnosisMarkdown(diagnosis: Diagnosis): string {
  const { title, classification, rootCause, affectedFiles, proposedChanges, assessment, evidence, validation } =
    diagnosis;
  const parts = [
    `# ${title || 'A report without a title'}`,
    `**${KINDS[classification.kind]}**: ${classification.reason}.`,
    ...(validation.status === 'unvalidated' ? [`**Not validated:** ${validation.problems.join('; ')}.`] : []),
    ...section('Root cause', rootCause === null ? [] : [rootCause]),
    ...section(
      'Where',
      affectedFiles.map(({ path, startLine, endLine, symbol, why, confidence }, at) => {
        const name = symbol === null ? '' : ` \`${symbol}\``;
        return `${at + 1}. \`${path}:${startLine}-${endLine}\`${name} · ${Math.round(confidence * 100)} % · ${why}`;
      }),
    ),
    ...section(
      'Proposed changes',
      proposedChanges.map(({ path, startLine, endLine, what, patch }) => {
        const diff = patch === undefined ? '' : `\n\n\`\`\`diff\n${patch.trimEnd()}\n\`\`\``;
        return `- \`${path}:${startLine}-${endLine}\`: ${what}${diff}`;
      }),
    ),
    ...(assessment === null
      ? []
      : section('Assessment', [
          `- Complexity: ${assessment.complexity.level}; ${assessment.complexity.reason}`,
          `- Risk: ${assessment.risk.level}; ${assessment.risk.reason}`,
          `- Confidence: ${Math.round(assessment.confidence.value * 100)} %; ${assessment.confidence.reason}`,
        ])),
    ...section(
      'Evidence',
      evidence.map((each) => `- ${each}`),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`];
}
