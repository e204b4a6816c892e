/** What is to be made. */
export interface Project {
  /** Of the package and of its environment. */
  readonly name: string;
  readonly language: 'ts' | 'js';
  /** What package.json names as ors-kit: a range of versions, or `file:` and the path of a packed one. */
  readonly orsKit: string;
}

/** A file of a project; its path is below the project's folder. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}
