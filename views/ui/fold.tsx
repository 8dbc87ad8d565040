import type { Children } from '@kitajs/html'
import { Icon } from './icon.tsx'

interface FoldProps {
  summary: Children
  open?: boolean
  children: Children
}

export const Fold = ({ summary, open, children }: FoldProps) => (
  <details class="fold" open={open}>
    <summary>
      <Icon name="chevron-right" />
      <span>{summary}</span>
    </summary>
    {children}
  </details>
)
