import { counted } from '#lib/text.ts'
import type { MediaStorage } from '#social/types'
import { sizeText } from './file-text.ts'

/** How much of its storage an organization uses. */
export const StorageMeter = ({ files, bytes, limit }: MediaStorage) => (
  <span class="storage muted small">
    <span safe>{`${counted(files, 'file')}, ${sizeText(bytes)} of ${sizeText(limit)}`}</span>
    <meter
      min="0"
      max={limit}
      high={limit * 0.9}
      value={bytes}
      aria-label="Storage of your organization"
      title="Storage of your organization"
    />
  </span>
)
