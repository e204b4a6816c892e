const BY_NAME: Readonly<Record<string, string>> = {
  bash: 'bash',
  bash_command: 'bash',
  cmd: 'bash',
  command: 'bash',
  code: 'python',
  diff: 'diff',
  html: 'html',
  json: 'json',
  javascript: 'javascript',
  patch: 'diff',
  python: 'python',
  query: 'sql',
  script: 'bash',
  shell: 'bash',
  sql: 'sql',
  typescript: 'typescript',
  xml: 'xml',
  yaml: 'yaml',
};

const FILE_NAMES = ['path', 'file_path', 'filename', 'file', 'file_name'] as const;
const LANGUAGES = ['javascript', 'typescript', 'python', 'bash', 'shell', 'sql'] as const;

/** The language that a text argument of a tool call is in, as far as names tell; undefined for prose. */
export function detectLanguage(
  name: string,
  tool: string,
  others: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof others.language === 'string') return others.language;
  const byTool = LANGUAGES.find((language) => tool.toLowerCase().includes(language));
  const key = name.toLowerCase();
  if (key === 'code' || key === 'script') return byTool ?? BY_NAME[key];
  if (Object.hasOwn(BY_NAME, key)) return BY_NAME[key];
  const file = FILE_NAMES.map((each) => others[each]).find((value) => typeof value === 'string');
  return typeof file === 'string' && key !== 'path' ? /\.(\w{1,8})$/.exec(file)?.[1] : undefined;
}
