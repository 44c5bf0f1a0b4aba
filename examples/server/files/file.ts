/** A text somebody has written, for themself or for an organization. */
export interface FileSummary {
  id: string;
  name: string;
  ownerId: string;
  /** What its owner was called when it was written. */
  ownerName: string;
  /** Null: personal. */
  organizationId: string | null;
  updatedAt: string;
}

export interface StoredFile extends FileSummary {
  content: string;
}

/** What somebody writes. */
export interface FileText {
  name: string;
  content: string;
}
