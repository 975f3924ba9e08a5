/**
 * What becomes of a bug report (DX-2, DX-3): one model for every explorer, face and output. Unknown keys are refused, so
 * that nothing a model makes up passes unseen.
 */
import * as z from 'zod';

export const CLASSES = ['bug', 'crash', 'feature_request', 'question', 'not_enough_information', 'spam'] as const;
export type ReportClass = (typeof CLASSES)[number];

const line = z.int().min(1);
const share = z.number().min(0).max(1);
const text = z.string().trim().min(1);
const grade = z.strictObject({ level: z.enum(['low', 'medium', 'high']), reason: text });

/** A place in a file; lines from 1, both ends included. */
const place = { path: text, startLine: line, endLine: line };
const isForward = ({ startLine, endLine }: { startLine: number; endLine: number }): boolean => startLine <= endLine;
const BACKWARD = { message: 'endLine comes before startLine' };

export const affectedFileSchema = z
  .strictObject({ ...place, symbol: z.string().nullable(), why: text, confidence: share })
  .refine(isForward, BACKWARD);

export const proposedChangeSchema = z
  .strictObject({ ...place, what: text, patch: z.string().optional() })
  .refine(isForward, BACKWARD);

export const assessmentSchema = z.strictObject({
  complexity: grade,
  risk: grade,
  confidence: z.strictObject({ value: share, reason: text }),
});

/** What an explorer finds out and a structurer puts into form. */
export const findingsSchema = z.strictObject({
  rootCause: text,
  /** Best first. */
  affectedFiles: z.array(affectedFileSchema).min(1).max(10),
  proposedChanges: z.array(proposedChangeSchema),
  assessment: assessmentSchema,
  evidence: z.array(z.string()),
  reproduction: z.string().nullable(),
  testsToAdd: z.array(z.string()),
});
export type Findings = z.infer<typeof findingsSchema>;

export const validationSchema = z.strictObject({
  status: z.enum(['valid', 'unvalidated']),
  problems: z.array(z.string()),
});

export const diagnosisCostSchema = z.strictObject({
  calls: z.int().min(0),
  tokens: z.int().min(0),
  dollars: z.number().min(0),
  seconds: z.number().min(0),
});

export const diagnosisSchema = z.strictObject({
  version: z.literal(1),
  title: z.string(),
  classification: z.strictObject({ kind: z.enum(CLASSES), reason: text }),
  /** Null for what is no bug. */
  rootCause: z.string().nullable(),
  affectedFiles: z.array(affectedFileSchema).max(10),
  proposedChanges: z.array(proposedChangeSchema),
  assessment: assessmentSchema.nullable(),
  evidence: z.array(z.string()),
  reproduction: z.string().nullable(),
  testsToAdd: z.array(z.string()),
  explorer: z.string(),
  validation: validationSchema,
  cost: diagnosisCostSchema,
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;
