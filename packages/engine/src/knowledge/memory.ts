export const MEMORY_KINDS = ['architecture', 'decision', 'feature', 'debt', 'term', 'roadmap'] as const;

export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** One thing to remember about a project. */
export interface Memory {
  kind: MemoryKind;
  /** Of an architecture section, a decision, a feature, a debt, a term, or a plan: its key in the file. */
  title: string;
  text: string;
  /** Of a decision (`accepted`), a feature (`done`, `in progress` …), a debt or a plan (`done` or not). */
  status?: string;
}

/** The file of each kind in the knowledge folder, and its first line. */
export const KNOWLEDGE_FILES: Readonly<Record<MemoryKind, { file: string; heading: string }>> = {
  architecture: { file: 'architecture.md', heading: '# Architecture' },
  decision: { file: 'decision_log.md', heading: '# Decision log' },
  feature: { file: 'feature_status.md', heading: '# Feature status' },
  debt: { file: 'technical_debt.md', heading: '# Technical debt' },
  term: { file: 'glossary.md', heading: '# Glossary' },
  roadmap: { file: 'roadmap.md', heading: '# Roadmap' },
};
