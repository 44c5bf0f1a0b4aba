/** A text file, without its content. A file belongs to its owner or to an organization. */
export interface FileSummary {
  id: string;
  name: string;
  ownerId: string;
  /** The owner's username when the file was created. */
  ownerName: string;
  /** Null for a personal file. */
  organizationId: string | null;
  updatedAt: string;
}

export interface StoredFile extends FileSummary {
  content: string;
}

/** The fields that users write. */
export interface FileText {
  name: string;
  content: string;
}
