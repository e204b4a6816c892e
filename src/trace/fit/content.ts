/** Bytes that are stored beside blocks, under their SHA-256 in lower-case hex. */
export interface StoredBlob {
  readonly sha256: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}

/** What is sent: the JSON of a block, of a new trace, or of a change of one; and what must be there before it. */
export interface SerializedContent {
  readonly text: string;
  readonly blobs: readonly StoredBlob[];
}
