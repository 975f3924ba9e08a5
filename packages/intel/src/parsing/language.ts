/** The languages whose files are parsed (INT-1); every other file is `text`: searched, but without symbols. */
export const LANGUAGES = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'kotlin',
  'swift',
  'dart',
  'scala',
  'lua',
  'bash',
] as const;

export type Language = (typeof LANGUAGES)[number];
